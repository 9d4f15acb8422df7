// Which model a run follows.
#include "derive/roads/moving.h"

#include "derive/overdamped.h"
#include "derive/roads/road.h"
#include "derive/roads/routh.h"

static Model *find_moving(Model *model) {
  Model *reduced = road_of(model->road) == ROAD_ROUTH ? routh_reduction(model, true) : NULL;
  return reduced ? reduced : model_overdamped(model);
}

Model *model_moving(Model *model) {
  if (!model->moving) model->moving = find_moving(model);
  return model->moving;
}
