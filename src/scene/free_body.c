// Free-body diagrams as SVG: a cell a body, its shapes, and arrows that keep clear of each other.
#include "scene/free_body.h"

#include <math.h>
#include <string.h>

#include "base/host/folder.h"
#include "base/text.h"
#include "derive/body_loads.h"
#include "scene/labels.h"
#include "scene/letters.h"
#include "scene/teeth.h"

#define CELL_WIDTH 300.0
#define CELL_HEIGHT 270.0
#define ROOM 78.0  // pixels around a body, for arrows and their names
#define TITLE 26.0 // pixels: of the line with the body's name
#define ARROW 42.0 // pixels: of every arrow, whatever its force
#define TORQUE_RADIUS 19.0
#define ENLARGED 3.0     // times the scale of the largest body: more is no picture of the machine
#define POINT_RADIUS 6.0 // of a body without a size
#define NOTHING 1e-9     // of the largest load: a component that stays below is none
#define LETTER 0.56      // width of a letter by its size
enum { MOST_COLUMNS = 3, LOAD_SIGNALS = 5, MOST_FRAMES = 400, RIM = 24 };

typedef struct Cell {
  uint32_t body;
  Place2 centre; // in metres
  double scale;
  LabelRoom room, arrows; // for names; of the arrows alone
} Cell;

typedef struct Diagram {
  Context *cx;
  Arena *arena;
  Scene scene;
  Poses poses;
  const double *pose;
  BodyLoads all;
  uint32_t loads, bodies; // first signals
  double largest[2];      // force and torque of the whole motion
  Text svg;
} Diagram;

// ---- Numbers

static const double *load_values(const Diagram *d, uint32_t load, const double *pose) {
  return pose + d->loads + LOAD_SIGNALS * load;
}

static void add_signals(Diagram *d) {
  d->loads = d->scene.signals.n;
  for (uint32_t i = 0; i < d->all.loads.n; i++) {
    const BodyLoad *l = &d->all.loads.at[i];
    Expr parts[LOAD_SIGNALS] = {l->place[0], l->place[1], l->force[0], l->force[1], l->torque};
    for (int k = 0; k < LOAD_SIGNALS; k++) scene_signal(&d->scene, parts[k]);
  }
  d->bodies = d->scene.signals.n;
  for (uint32_t i = 0; i < d->all.bodies.n; i++)
    for (int k = 0; k < 3; k++) scene_signal(&d->scene, d->all.bodies.at[i].pose[k]);
}

// The largest value that part of a load has in the motion.
static double most_of(const Diagram *d, uint32_t load, int part) {
  double most = 0;
  for (uint32_t i = 0; i < d->poses.count; i++)
    most = fmax(most, fabs(load_values(d, load, pose_at(&d->poses, i))[part]));
  return most;
}

static void measure_loads(Diagram *d) {
  for (uint32_t i = 0; i < d->all.loads.n; i++)
    for (int part = 2; part < LOAD_SIGNALS; part++) {
      double *largest = &d->largest[part == 4];
      *largest = fmax(*largest, most_of(d, i, part));
    }
  // what turns by less than a rounded force would is none
  d->largest[1] = fmax(d->largest[1], d->largest[0] * view_size(&d->scene, d->pose));
}

static bool is_ever(const Diagram *d, uint32_t load, int part) {
  return most_of(d, load, part) > NOTHING * d->largest[part == 4];
}

// ---- Shapes of a body

static bool is_of_body(const SceneShape *shape, uint32_t body) {
  if (shape->is_hidden || shape->body != body + 1) return false;
  switch (shape->shape) {
  case DRAW_LINE:
  case DRAW_POLYGON:
  case DRAW_DISC:
  case DRAW_BOX: return true;
  case DRAW_TRACK: return shape->track == TRACK_FACE;
  default: return false;
  }
}

// Its outline in metres; the number of points.
static uint32_t outline_of(const Diagram *d, const SceneShape *s, Place2 out[RIM]) {
  const double *p = d->pose + s->points;
  uint32_t n = 0;
  if (s->shape == DRAW_DISC && s->radius != NO_SIGNAL) {
    for (; n < RIM; n++)
      out[n] = (Place2){p[0] + fabs(d->pose[s->radius]) * cos(2 * M_PI * n / RIM),
                        p[1] + fabs(d->pose[s->radius]) * sin(2 * M_PI * n / RIM)};
  } else if (s->shape == DRAW_BOX && s->size_a != NO_SIGNAL) {
    double turn = s->angle == NO_SIGNAL ? 0 : d->pose[s->angle];
    static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (; n < 4; n++) {
      double x = 0.5 * sides[n][0] * d->pose[s->size_a], y = 0.5 * sides[n][1] * d->pose[s->size_b];
      out[n] = (Place2){p[0] + x * cos(turn) - y * sin(turn), p[1] + x * sin(turn) + y * cos(turn)};
    }
  } else if (s->shape == DRAW_TRACK) {
    double at[4][3];
    for (int end = 0; end < 2; end++) {
      track_end(s, d->pose, end, at[end]);
      face_foot(s, d->pose, end, at[3 - end]);
    }
    for (; n < 4; n++) out[n] = (Place2){at[n][0], at[n][1]};
  } else {
    for (; n < s->point_count && n < RIM; n++) out[n] = (Place2){p[3 * n], p[3 * n + 1]};
  }
  return n;
}

typedef struct Bounds {
  double low[2], high[2];
} Bounds;

static void include(Bounds *b, double x, double y) {
  double at[2] = {x, y};
  for (int k = 0; k < 2; k++)
    if (isfinite(x + y)) b->low[k] = fmin(b->low[k], at[k]), b->high[k] = fmax(b->high[k], at[k]);
}

static Bounds bounds_of(const Diagram *d, uint32_t body) {
  Bounds b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  const double *centre = d->pose + d->bodies + 3 * body;
  include(&b, centre[0], centre[1]);
  for (uint32_t i = 0; i < d->scene.shapes.n; i++) {
    Place2 rim[RIM];
    if (!is_of_body(&d->scene.shapes.at[i], body)) continue;
    uint32_t n = outline_of(d, &d->scene.shapes.at[i], rim);
    for (uint32_t k = 0; k < n; k++) include(&b, rim[k].x, rim[k].y);
  }
  for (uint32_t i = 0; i < d->all.loads.n; i++)
    if (d->all.loads.at[i].body == body && d->all.loads.at[i].has_place)
      include(&b, load_values(d, i, d->pose)[0], load_values(d, i, d->pose)[1]);
  return b;
}

static double scale_of(const Bounds *b) {
  double wide = (CELL_WIDTH - 2 * ROOM) / (b->high[0] - b->low[0]);
  double high = (CELL_HEIGHT - TITLE - 2 * ROOM) / (b->high[1] - b->low[1]);
  return fmin(wide, high);
}

static Place2 pixel(const Cell *cell, double x, double y) {
  return (Place2){0.5 * CELL_WIDTH + cell->scale * (x - cell->centre.x),
                  0.5 * (CELL_HEIGHT + TITLE) - cell->scale * (y - cell->centre.y)};
}

// ---- SVG

static void add_escaped(Text *out, const char *text) {
  for (; *text; text++) switch (*text) {
    case '&': text_add(out, "&amp;"); break;
    case '<': text_add(out, "&lt;"); break;
    case '"': text_add(out, "&quot;"); break;
    default: text_add_char(out, *text);
    }
}

static void add_path(Text *out, const char *class, const Place2 *at, uint32_t n, bool closed) {
  text_addf(out, "<path class=\"%s\" d=\"", class);
  for (uint32_t i = 0; i < n; i++) text_addf(out, "%c%.2f %.2f", i ? 'L' : 'M', at[i].x, at[i].y);
  text_addf(out, "%s\"/>\n", closed ? "Z" : "");
}

static void add_shapes(Diagram *d, Cell *cell) {
  bool any = false;
  for (uint32_t i = 0; i < d->scene.shapes.n; i++) {
    const SceneShape *s = &d->scene.shapes.at[i];
    Place2 rim[RIM];
    if (!is_of_body(s, cell->body)) continue;
    uint32_t n = outline_of(d, s, rim);
    for (uint32_t k = 0; k < n; k++) rim[k] = pixel(cell, rim[k].x, rim[k].y);
    bool is_line = s->shape == DRAW_LINE;
    const char *class =
        text_format(d->arena, "%s p%u", is_line ? "rod" : "plate", s->group % PART_COLOURS);
    if (n > 1) {
      add_path(&d->svg, class, rim, n, !is_line);
      room_add_lines(&cell->room, rim, n, is_line ? 4 : 1);
      any = true;
    }
  }
  if (any) return;
  const double *at = d->pose + d->bodies + 3 * cell->body;
  Place2 centre = pixel(cell, at[0], at[1]);
  text_addf(&d->svg, "<circle class=\"plate p%u\" cx=\"%.2f\" cy=\"%.2f\" r=\"%g\"/>\n",
            cell->body % PART_COLOURS, centre.x, centre.y, POINT_RADIUS);
}

static double letters_width(const char *text, double size) {
  double n = 0;
  for (; *text; text++) n += (*text & 0xc0) != 0x80;
  return LETTER * size * n;
}

typedef struct LoadSymbol {
  const char *text, *subscript;
} LoadSymbol;

// A.F_x is F with "A, x" below it, strut.F is F with "strut"; T_1 is T with 1.
static LoadSymbol symbol_of(const Diagram *d, const char *name) {
  const char *dot = strrchr(name, '.'), *word = dot ? dot + 1 : name, *below = strchr(word, '_');
  LoadSymbol symbol = {below ? arena_copy(d->arena, word, (size_t)(below - word)) : word, ""};
  if (!dot) {
    if (below) symbol.subscript = below + 1;
    return symbol;
  }
  const char *part = arena_copy(d->arena, name, (size_t)(dot - name));
  SceneLabel of_part = scene_label(&d->scene, LABEL_LENGTH, part);
  const char *under = *of_part.subscript ? text_format(d->arena, ",%s", of_part.subscript) : "";
  symbol.subscript = text_format(d->arena, "%s%s%s%s", of_part.text, under, below ? "," : "",
                                 below ? below + 1 : "");
  return symbol;
}

// The symbol of a load at the first place around the tip that is free.
static void add_name(Diagram *d, Cell *cell, const char *name, Place2 tip, Place2 way) {
  LoadSymbol label = symbol_of(d, name);
  const double gap = 5, small = 0.72 * SYMBOL_SIZE;
  double half =
      0.5 * (letters_width(label.text, SYMBOL_SIZE) + letters_width(label.subscript, small));
  Place2 across = {-way.y, way.x}, best = tip;
  Place2 ways[] = {across,
                   {-across.x, -across.y},
                   way,
                   {0.7 * (way.x + across.x), 0.7 * (way.y + across.y)},
                   {0.7 * (way.x - across.x), 0.7 * (way.y - across.y)}};
  bool is_found = false;
  for (int far = 0; far < 3 && !is_found; far++)
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !is_found; i++) {
      double off = gap + 9 * far + fabs(ways[i].x) * half + fabs(ways[i].y) * SYMBOL_HALF;
      LabelBox box = {{tip.x + off * ways[i].x, tip.y + off * ways[i].y}, half, SYMBOL_HALF};
      if (!room_is_free(&cell->room, &box)) continue;
      best = box.centre, is_found = true;
    }
  if (!is_found) best = (Place2){tip.x + (half + gap) * across.x, tip.y + SYMBOL_HALF * across.y};
  vec_push(d->arena, &cell->room.boxes, ((LabelBox){best, half, SYMBOL_HALF}));
  text_addf(&d->svg, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">", best.x - half, best.y + 5);
  add_escaped(&d->svg, formula_letters(d->arena, label.text));
  if (*label.subscript) {
    text_add(&d->svg, "<tspan class=\"sub\" dy=\"4\">");
    add_escaped(&d->svg, formula_letters(d->arena, label.subscript));
    text_add(&d->svg, "</tspan>");
  }
  text_add(&d->svg, "</text>\n");
}

static void open_arrow(Diagram *d, const char *class, const char *name, double value,
                       const char *unit) {
  text_addf(&d->svg, "<g class=\"%s\" data-name=\"", class);
  add_escaped(&d->svg, name);
  text_addf(&d->svg, "\" data-value=\"%.6g\"><title>", value);
  add_escaped(&d->svg, name);
  text_addf(&d->svg, " = %.4g %s</title>\n", value, unit);
}

static void add_head(Text *out, Place2 tip, Place2 way) {
  const double length = 10, half = 4;
  Place2 foot = {tip.x - length * way.x, tip.y - length * way.y};
  Place2 head[] = {tip,
                   {foot.x - half * way.y, foot.y + half * way.x},
                   {foot.x + half * way.y, foot.y - half * way.x}};
  add_path(out, "head", head, 3, true);
}

static void take_room(Cell *cell, const Place2 *at, uint32_t n) {
  room_add_lines(&cell->room, at, n, 3);
  room_add_lines(&cell->arrows, at, n, 3);
}

// How many other arrows a way crosses or covers.
static uint32_t covered(const Cell *cell, Place2 from, Place2 to) {
  uint32_t n = 0;
  for (int i = 1; i <= 4; i++) {
    LabelBox box = {
        {from.x + 0.25 * i * (to.x - from.x), from.y + 0.25 * i * (to.y - from.y)}, 4, 4};
    n += room_lines_across(&cell->arrows, &box);
  }
  return n;
}

// With room for a name.
static bool is_inside(Place2 at) {
  const double margin = 24;
  return at.x > margin && at.x < CELL_WIDTH - margin && at.y > margin + TITLE &&
         at.y < CELL_HEIGHT - margin;
}

// Away from the point, or towards it, or beyond another arrow; where it covers least.
static void add_arrow(Diagram *d, Cell *cell, const char *name, double value, Place2 at, Place2 way,
                      bool pushes) {
  const double near = 5;
  Place2 from[4], to[4];
  uint32_t best = 0, least = UINT32_MAX;
  for (uint32_t i = 0; i < 4; i++) {
    double begin = (i % 2 == 0) == !pushes ? near : -near - ARROW;
    if (i >= 2) begin += begin > 0 ? ARROW + 8 : -ARROW - 8;
    from[i] = (Place2){at.x + begin * way.x, at.y + begin * way.y};
    to[i] = (Place2){from[i].x + ARROW * way.x, from[i].y + ARROW * way.y};
    uint32_t cost = 2 * covered(cell, from[i], to[i]) + i;
    if (!is_inside(from[i]) || !is_inside(to[i])) cost += 8;
    if (cost < least) best = i, least = cost;
  }
  open_arrow(d, "force", name, value, "N");
  Place2 neck = {to[best].x - 8 * way.x, to[best].y - 8 * way.y};
  add_path(&d->svg, "shaft", (Place2[]){from[best], neck}, 2, false);
  add_head(&d->svg, to[best], way);
  text_add(&d->svg, "</g>\n");
  take_room(cell, (Place2[]){from[best], to[best]}, 2);
  bool is_inwards = best % 2 == (pushes ? 0 : 1);
  Place2 back = {-way.x, -way.y};
  add_name(d, cell, name, is_inwards ? from[best] : to[best], is_inwards ? back : way);
}

static void add_torque(Diagram *d, Cell *cell, const char *name, double value, Place2 at,
                       int sign) {
  enum { PIECES = 20 };
  Place2 arc[PIECES + 1];
  double begin = sign > 0 ? -0.6 : M_PI + 0.6, sweep = 3.9 * sign;
  for (int i = 0; i <= PIECES; i++) {
    double a = begin + sweep * i / PIECES;
    arc[i] = (Place2){at.x + TORQUE_RADIUS * cos(a), at.y - TORQUE_RADIUS * sin(a)};
  }
  double end = begin + sweep;
  Place2 way = {-sign * sin(end), -sign * cos(end)};
  Place2 tip = {arc[PIECES].x + 4 * way.x, arc[PIECES].y + 4 * way.y};
  open_arrow(d, "torque", name, value, "N m");
  add_path(&d->svg, "shaft", arc, PIECES + 1, false);
  add_head(&d->svg, tip, way);
  text_add(&d->svg, "</g>\n");
  take_room(cell, arc, PIECES + 1);
  add_name(d, cell, name, (Place2){at.x, at.y - TORQUE_RADIUS}, (Place2){0, -1});
}

// ---- Loads

static void add_joint(Diagram *d, Cell *cell, uint32_t number) {
  const BodyLoad *load = &d->all.loads.at[number];
  const double *v = load_values(d, number, d->pose);
  double sign = load->is_reversed ? -1 : 1;
  Place2 at = pixel(cell, v[0], v[1]);
  for (int k = 0; k < 2; k++) {
    if (!load->is_pin && !is_ever(d, number, 2 + k)) continue;
    const char *name = text_format(d->arena, "%s.F_%c", load->name, "xy"[k]);
    Place2 way = {k ? 0 : sign, k ? -sign : 0};
    add_arrow(d, cell, name, sign * v[2 + k], at, way, false);
  }
  if (is_ever(d, number, 4))
    add_torque(d, cell, text_format(d->arena, "%s.T", load->name), sign * v[4], at, (int)sign);
}

// Where a force acts whose place is not told: at the point of its line that is nearest to the
// centre.
static Place2 place_on_line(const double *centre, const double *v) {
  double square = v[2] * v[2] + v[3] * v[3];
  return (Place2){centre[0] - v[4] * v[3] / square, centre[1] + v[4] * v[2] / square};
}

// The pose from which a load has its direction: the one that is drawn, or, where it is zero there,
// the one in which it is largest.
static const double *pose_of_direction(const Diagram *d, uint32_t number) {
  const double *best = d->pose, *now = load_values(d, number, d->pose);
  double most = 0;
  if (hypot(now[2], now[3]) > NOTHING * d->largest[0] || fabs(now[4]) > NOTHING * d->largest[1])
    return d->pose;
  for (uint32_t i = 0; i < d->poses.count; i++) {
    const double *v = load_values(d, number, pose_at(&d->poses, i));
    double size = hypot(v[2], v[3]) + fabs(v[4]);
    if (size > most) most = size, best = pose_at(&d->poses, i);
  }
  return best;
}

// Once, although it acts on two bodies.
static void warn_unknown(const Diagram *d, uint32_t number) {
  const char *name = d->all.loads.at[number].name;
  for (uint32_t i = 0; i < number; i++)
    if (strcmp(d->all.loads.at[i].name, name) == 0) return;
  diag_warning_plain(d->cx, "the value of '%s' is not known: it is not drawn", name);
  diag_note(d->cx, "add 'output %s' to the model", name);
}

static void add_given(Diagram *d, Cell *cell, uint32_t number) {
  const BodyLoad *load = &d->all.loads.at[number];
  const double *centre = d->pose + d->bodies + 3 * cell->body,
               *here = load_values(d, number, d->pose);
  const double *v = load_values(d, number, pose_of_direction(d, number));
  double size = hypot(v[2], v[3]);
  if (!isfinite(size + v[4])) {
    warn_unknown(d, number);
  } else if (size > NOTHING * d->largest[0]) {
    Place2 at = load->has_place ? (Place2){here[0], here[1]} : place_on_line(centre, v);
    Place2 way = {v[2] / size, -v[3] / size};
    double inwards = v[2] * (centre[0] - at.x) + v[3] * (centre[1] - at.y);
    add_arrow(d, cell, load->name, hypot(here[2], here[3]), pixel(cell, at.x, at.y), way,
              inwards > 0);
  } else if (fabs(v[4]) > NOTHING * d->largest[1]) {
    add_torque(d, cell, load->name, here[4], pixel(cell, centre[0], centre[1]), v[4] < 0 ? -1 : 1);
  }
}

static void add_body(Diagram *d, uint32_t body, Place2 corner, double common) {
  Bounds b = bounds_of(d, body);
  double own = scale_of(&b), most = ENLARGED * common;
  Cell cell = {.body = body, .scale = own < most ? own : most};
  cell.centre = (Place2){0.5 * (b.low[0] + b.high[0]), 0.5 * (b.low[1] + b.high[1])};
  if (!isfinite(cell.scale)) cell.scale = 1;
  cell.room = (LabelRoom){.arena = d->arena, .width = CELL_WIDTH, .height = CELL_HEIGHT};
  cell.arrows = cell.room;
  const char *name = symbol_text(d->cx, d->all.bodies.at[body].name);
  text_add(&d->svg, "<g id=\"body-");
  add_escaped(&d->svg, name);
  text_addf(&d->svg, "\" transform=\"translate(%g %g)\">\n", corner.x, corner.y);
  text_add(&d->svg, "<text class=\"title\" x=\"14\" y=\"22\">");
  add_escaped(&d->svg, name);
  text_add(&d->svg, "</text>\n");
  add_shapes(d, &cell);
  for (uint32_t i = 0; i < d->all.loads.n; i++)
    if (d->all.loads.at[i].body == body && d->all.loads.at[i].kind == LOAD_JOINT)
      add_joint(d, &cell, i);
  for (uint32_t i = 0; i < d->all.loads.n; i++)
    if (d->all.loads.at[i].body == body && d->all.loads.at[i].kind != LOAD_JOINT)
      add_given(d, &cell, i);
  text_add(&d->svg, "</g>\n");
}

// ---- The whole

static void add_hex(Text *out, Colour c) {
  text_addf(out, "#%02x%02x%02x", c.red, c.green, c.blue);
}

static void add_colours(Text *out, bool is_dark) {
#define SIDE(pair) (is_dark ? (pair).dark : (pair).light)
  text_add(out, ".paper{fill:"), add_hex(out, SIDE(paper_colour));
  text_add(out, "}.title{fill:"), add_hex(out, SIDE(ink_colour));
  text_add(out, "}.shaft{stroke:"), add_hex(out, SIDE(role_colours[FORCE_PLACE]));
  text_add(out, "}.head,.name{fill:"), add_hex(out, SIDE(role_colours[FORCE_PLACE]));
  text_add(out, "}");
  for (uint32_t i = 0; i < PART_COLOURS; i++) {
    text_addf(out, ".p%u{stroke:", i), add_hex(out, SIDE(role_colours[i]));
    text_add(out, ";fill:"), add_hex(out, SIDE(role_colours[i]));
    text_add(out, "}");
  }
#undef SIDE
}

static void add_style(Text *out) {
  text_add(out, "<style>.rod{fill:none!important;stroke-width:7;stroke-opacity:.65}"
                ".plate{fill-opacity:.3;stroke-width:1.8}.shaft{fill:none;stroke-width:2.2}"
                "text{font:19px 'Latin Modern Math','STIX Two Math','Cambria Math',serif}"
                ".title{font:14px sans-serif}.sub{font-size:14px}"
                "path,circle{stroke-linecap:round;stroke-linejoin:round}");
  add_colours(out, false);
  text_add(out, "@media (prefers-color-scheme:dark){");
  add_colours(out, true);
  text_add(out, "}</style>\n");
}

static void draw_cells(Diagram *d) {
  uint32_t n = d->all.bodies.n, columns = n <= 1 ? 1 : n <= 4 ? 2 : MOST_COLUMNS;
  double width = CELL_WIDTH * columns, height = CELL_HEIGHT * ((n + columns - 1) / columns);
  double common = INFINITY;
  for (uint32_t i = 0; i < n; i++) {
    Bounds b = bounds_of(d, i);
    common = fmin(common, scale_of(&b));
  }
  text_addf(&d->svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
            "height=\"%g\" role=\"img\">\n<title>Free-body diagrams</title>\n",
            width, height, width, height);
  add_style(&d->svg);
  text_addf(&d->svg, "<rect class=\"paper\" width=\"%g\" height=\"%g\"/>\n", width, height);
  for (uint32_t i = 0; i < n; i++)
    add_body(d, i, (Place2){CELL_WIDTH * (i % columns), CELL_HEIGHT * (i / columns)}, common);
  text_add(&d->svg, "</svg>\n");
}

static Status no_bodies(Context *cx, const Result *result) {
  bool is_spatial = result->model->space.solids.n > 0;
  Status status = diag_error_plain(cx, QDOT_BAD_MODEL,
                                   is_spatial ? "free-body diagrams are drawn in the plane only"
                                              : "there are no bodies to draw by themselves");
  diag_note(cx, "free-body diagrams need 'body' and 'joint' lines, which say what acts where");
  return status;
}

static Status open_diagram(Diagram *d, const Result *result) {
  double begin, end;
  Context *cx = d->cx;
  d->all = body_loads(result->model, d->arena);
  if (d->all.bodies.n == 0) return no_bodies(cx, result);
  if (!d->all.is_known) {
    Status status = diag_error_plain(cx, QDOT_BAD_MODEL,
                                     "what acts on the bodies is not known in these coordinates");
    diag_note(cx, "add '--formulation maximal', in which every joint is a constraint");
    return status;
  }
  if (!result_times(cx, result, &begin, &end))
    return diag_error_plain(cx, QDOT_BAD_FILE, "there is nothing to draw: the result has no rows");
  d->scene = scene_from_result(cx, d->arena, result);
  uint32_t first = scene_add_coordinates(&d->scene);
  add_signals(d);
  d->poses = poses_of_rows(&d->scene, d->arena, MOST_FRAMES);
  scene_settle(&d->scene, &d->poses);
  SceneLabels labels = scene_labels(&d->scene, &d->poses, first);
  d->pose = pose_at(&d->poses, labels_best_pose(&d->scene, &labels, &d->poses));
  measure_loads(d);
  return QDOT_OK;
}

Status draw_free_bodies(Context *cx, const Result *result, const char *folder) {
  Diagram d = {.cx = cx, .arena = &cx->keep, .svg = text_new(&cx->keep)};
  Status status = open_diagram(&d, result);
  if (status != QDOT_OK) return status;
  draw_cells(&d);
  return folder_write(cx, folder, "free-body.svg", d.svg.at, d.svg.n);
}
