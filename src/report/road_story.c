// The stories of the roads by number.
#include "report/road_story.h"

static const RoadStory *const stories[ROADS] = {
#define ROAD(NAME, name, text) [ROAD_##NAME] = &name##_story,
#include "derive/roads/roads.def"
#undef ROAD
};

const RoadStory *road_story(Road road) { return stories[road]; }
