// The mechanism in motion: animated pictures and a still one, from a result.
#ifndef QDOT_SCENE_ANIMATE_H
#define QDOT_SCENE_ANIMATE_H

#include "result/result.h"

enum { ANIMATION_GIF = 1, ANIMATION_MP4 = 2 };

typedef struct AnimateOptions {
  const char *folder; // exists
  const char *name;   // of the file, without ending: "animation"
  unsigned formats;   // ANIMATION_GIF | ANIMATION_MP4
  double speed;       // 1 is real time; 0 chooses: real time unless that is too short or long
  uint32_t width;     // pixels
  char decimal_sign;  // '.' or ','
  const char *slower, *faster; // with {0} for the factor: "{0} times slower"
  double magnify;     // how many times larger the motion is drawn; 0 chooses: 1 if it can be seen
  const char *larger; // what says so, with {0} for the factor
  const char *ffmpeg; // the program, found by PATH
  size_t bytes_a_second; // of a GIF; it is drawn smaller until it keeps this
  bool has_labels;       // of a still picture: symbols are named in it
  const char *caption;   // in the place of the clock; NULL: the clock
  // The motion that tells rods from springs and where supports are; NULL: the one that is drawn.
  const Result *all_motions;
} AnimateOptions;
AnimateOptions animate_defaults(void);

typedef struct Animation {
  uint32_t width, height, frames;
  double speed, seconds; // of the animation
  bool is_guessed;       // the model has no draw lines
  double magnified;      // how many times larger the motion is drawn
  bool is_empty;         // there is nothing to draw
} Animation;

// Which of these can be drawn: without cairo there are no pixels.
unsigned animation_drawn(unsigned formats);
// Frames at 25 a second; no file where there is nothing to draw. QDOT_NO_PROGRAM with a warning
// when an animation is asked for and ffmpeg or cairo is missing; the GIF is written all the same.
Status animate_result(Context *cx, const Result *result, const AnimateOptions *options,
                      Animation *out);

enum { STILL_SVG = 1, STILL_PNG = 2, STILL_PDF = 4 };

typedef struct Still {
  bool is_empty;    // there is nothing to draw
  bool is_labelled; // labels were asked for and found
  double magnified; // how many times larger the motion is drawn
  bool has_ghosts;  // earlier poses can be seen
} Still;

// Which of these can be drawn; draw_still warns of the others.
unsigned stills_drawn(unsigned formats);
// One picture of the mechanism as FOLDER/NAME.svg (.pdf, .png): where it starts, or, with strobe
// above 0, after a while of motion with that many earlier poses shown faintly. With labels there
// are none of these. No file where there is nothing to draw.
Status draw_still(Context *cx, const Result *result, const AnimateOptions *options,
                  unsigned formats, uint32_t strobe, Still *out);

#endif
