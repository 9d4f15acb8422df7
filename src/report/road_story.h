// How a report tells of a road: instead of the chapters on Lagrange's equations and the matrices.
#ifndef QDOT_REPORT_ROAD_STORY_H
#define QDOT_REPORT_ROAD_STORY_H

#include "derive/roads/road.h"

struct Story;

typedef struct RoadStory {
  void (*chapter)(struct Story *story);         // step by step, with its headings
  void (*result)(struct Story *story);          // all that the road gives, without words
  void (*equations)(const struct Story *story); // of motion alone, as the summary shows them
} RoadStory;

// NULL: Lagrange's.
const RoadStory *road_story(Road road);

#define ROAD(NAME, name, text) extern const RoadStory name##_story;
#include "derive/roads/roads.def"
#undef ROAD

#endif
