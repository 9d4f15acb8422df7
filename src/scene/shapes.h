// The parts of mechanisms as an engineer sketches them, in pixels.
#ifndef QDOT_SCENE_SHAPES_H
#define QDOT_SCENE_SHAPES_H

#include "scene/canvas.h"

// size: pixels by which a rod is thick; the rest fits to it. faint: 1 is solid, less for ghosts.
typedef struct Brush {
  Canvas *canvas;
  Colour colour;
  double size, faint;
} Brush;

void draw_rod(const Brush *brush, const Place2 *points, size_t n);
void draw_plate(const Brush *brush, const Place2 *points, size_t n);
// mark: a radius is drawn at this angle, counterclockwise from the right; NAN for none.
void draw_wheel(const Brush *brush, Place2 centre, double radius, double mark);
void draw_spring(const Brush *brush, Place2 from, Place2 to, double width, double coils);
// A thin end of a spring or damper.
void draw_stem(const Brush *brush, Place2 from, Place2 to);
void draw_damper(const Brush *brush, Place2 from, Place2 to, double width);
// Ends of what stands beside the line between two points, with the yokes that join them to it; side
// 0: on it.
void draw_yokes(const Brush *brush, Place2 ends[2], int side);
// A hatched line; the hatching is on the right of the way from one end to the other.
void draw_ground(const Brush *brush, Place2 from, Place2 to);
// The ends of a rail below a slider that is as large as a box without a size: on its lower side, or
// the right one where the way stands.
void rail_beneath(Place2 from, Place2 to, Place2 out[2]);
// A round thing that stands fast, hatched within; a ring, hatched around, for a negative radius.
void draw_post(const Brush *brush, Place2 centre, double radius);
// The teeth of a wheel, in pixels: how many, the radius of the pitch circle, and the direction of
// the middle of one of them.
typedef struct Teeth {
  uint32_t n;
  double radius, phase;
} Teeth;
// The outline of all teeth from below to above the pitch circle, in modules; the number of points,
// at most MOST_TEETH_POINTS.
enum { FLANK_POINTS = 5, MOST_TEETH_POINTS = 2 * FLANK_POINTS * 200 };
size_t teeth_outline(const Teeth *teeth, Place2 centre, double below, double above, Place2 *out);
// Are they large enough to be seen?
bool teeth_are_visible(const Teeth *teeth);
// A wheel with teeth; mark as that of a wheel.
void draw_gear(const Brush *brush, Place2 centre, const Teeth *teeth, double mark);
// One whose teeth point inwards; is_fixed: hatched around.
void draw_ring_gear(const Brush *brush, Place2 centre, const Teeth *teeth, bool is_fixed);
// A line with teeth on its left, `pitch` apart, one of them `first` behind its beginning; pitch 0:
// as it looks good.
void draw_rack(const Brush *brush, Place2 from, Place2 to, double pitch, double first);
// Around two wheels; one radius is negative where it crosses.
void draw_belt(const Brush *brush, Place2 from, Place2 to, double radius_a, double radius_b);
// An arrow around a pin, against the clock for a positive sign.
void draw_turn(const Brush *brush, Place2 at, double sign);
// A spring wound about a pin.
void draw_spiral(const Brush *brush, Place2 at);
// From where to where the arrow of an applied force goes, whose head is where it acts, in pixels.
// False where it is zero.
bool force_ends(Place2 at, double x, double y, Place2 out[2]);
// A fixed support under a point, turned by an angle counterclockwise.
void draw_support(const Brush *brush, Place2 at, double angle);
void draw_hinge(const Brush *brush, Place2 at);
void draw_arrow(const Brush *brush, Place2 from, Place2 to);
// Along a curve, at whose last point its tip is.
void draw_curved_arrow(const Brush *brush, const Place2 *points, size_t n, double width);
void draw_trail(const Brush *brush, const Place2 *points, size_t n);

#endif
