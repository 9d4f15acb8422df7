// Solids draw themselves: as the block of even density that has their inertia, and their points.
#include "expr/build.h"
#include "model/model.h"

typedef struct Sketch {
  Context *cx;
  const Solid *solid;
  Requests *out;
  Expr half[3]; // sizes of the block
} Sketch;

static DrawRequest *add_draw(Sketch *s, DrawShape shape, uint32_t points) {
  DrawRequest draw = {.shape = shape, .dimensions = 3, .point_count = points};
  draw.points = (Expr(*)[3])arena_array(&s->cx->keep, Expr, 3 * (size_t)points);
  draw.part = s->solid->name;
  vec_push(&s->cx->keep, &s->out->draws, draw);
  return &s->out->draws.at[s->out->draws.n - 1];
}

// centre + sum of sign * half size * axis
static void corner(Sketch *s, const int sign[3], Expr out[3]) {
  Context *cx = s->cx;
  for (int k = 0; k < 3; k++) {
    out[k] = s->solid->centre[k];
    for (int i = 0; i < 3; i++) {
      Expr along = expr_mul3(cx, expr_int(cx, sign[i]), s->half[i], s->solid->axes[i][k]);
      out[k] = expr_add(cx, out[k], along);
    }
  }
}

static void draw_face(Sketch *s, int axis, int side) {
  static const int around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  DrawRequest *face = add_draw(s, DRAW_POLYGON, 4);
  for (int c = 0; c < 4; c++) {
    int sign[3];
    sign[axis] = side;
    sign[(axis + 1) % 3] = around[c][0], sign[(axis + 2) % 3] = around[c][1];
    corner(s, sign, face->points[c]);
  }
}

// A block of sides 2 a has the moments A_x = m a_x^2 / 3.
static void draw_block(Sketch *s) {
  Context *cx = s->cx;
  for (int i = 0; i < 3; i++) {
    Expr square = expr_div(cx, s->solid->moment[i][i], s->solid->mass);
    s->half[i] = expr_sqrt(cx, expr_mul(cx, expr_int(cx, 3), square));
  }
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) draw_face(s, axis, side);
}

// From a point that is not the centre to the centre; where it rests, a dot.
static void draw_points(Sketch *s) {
  const Solid *solid = s->solid;
  for (uint32_t i = 0; i < solid->is_fixed.n; i++) {
    const Expr *point = &solid->points.at[3 * i];
    bool is_centre = true;
    for (int k = 0; k < 3; k++) {
      Expr gap = expr_sub(s->cx, solid->centre[k], point[k]);
      is_centre = is_centre && expr_is_zero(s->cx, gap);
    }
    if (is_centre) continue;
    DrawRequest *arm = add_draw(s, DRAW_LINE, 2);
    for (int k = 0; k < 3; k++) arm->points[0][k] = point[k], arm->points[1][k] = solid->centre[k];
    if (!solid->is_fixed.at[i]) continue;
    DrawRequest *rest = add_draw(s, DRAW_GROUND, 1);
    for (int k = 0; k < 3; k++) rest->points[0][k] = point[k];
  }
}

void space_draw(Context *cx, const Space *space, Requests *out) {
  for (uint32_t i = 0; i < space->solids.n; i++) {
    Sketch s = {.cx = cx, .solid = &space->solids.at[i], .out = out};
    draw_points(&s);
    if (!expr_is_zero(cx, s.solid->mass)) draw_block(&s);
  }
}
