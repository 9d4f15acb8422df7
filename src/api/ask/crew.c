// Threads that make runs.
#include "api/ask/crew.h"

#include <unistd.h>

#include "api/api_call.h"
#include "api/api_read.h"
#include "api/api_run.h"
#include "derive/roads/moving.h"

bool crew_is_stopped(const CrewMember *member) {
  const volatile int *asked = member->options.stop;
  return (member->stop && *member->stop) || (asked && *asked);
}

Status crew_member_open(Model *model, const qdot_run_options *run, CrewMember *out) {
  model = model_moving(model);
  *out = (CrewMember){.cx = model->cx, .model = model};
  Status status = api_sim_options(model, run, &out->options);
  if (status == QDOT_OK) status = model_system(model, DERIVE_BASIC, &out->system);
  out->options.progress = NULL;
  return status;
}

typedef struct Helper {
  Crew *crew;
  Context *cx;
} Helper;

// The same model again, in the helper's own context.
static Status help(void *argument) {
  Helper *h = argument;
  Crew *crew = h->crew;
  const Model *model = crew->model;
  const Source *source = &model->cx->sources.at[model->source];
  qdot_model_options how = qdot_model_defaults();
  how.settings = model->settings;
  how.setting_count = model->setting_count;
  how.formulation = model->formulation;
  Model *own;
  CrewMember member;
  Status status = api_read_model(h->cx, source->name, source->text, source->length,
                                 model->data_is_stored, &how, &own);
  if (status == QDOT_OK) status = crew_member_open(own, crew->run, &member);
  member.stop = &crew->stop;
  return status == QDOT_OK ? crew->work(crew->user, &member) : status;
}

static void *helper_main(void *argument) {
  Crew *crew = argument;
  Limits limits = crew->model->cx->limits;
  Memory memory = memory_defaults();
  Context *cx = context_open(&limits, &memory);
  if (!cx) return NULL;
  Helper helper = {crew, cx};
  api_call(cx, help, &helper);
  context_close(cx);
  return NULL;
}

static void join_all(Crew *crew) {
  for (uint32_t i = 0; i < crew->count; i++) pthread_join(crew->threads[i], NULL);
  crew->count = 0;
}

static void dismiss(void *object) {
  Crew *crew = object;
  crew->stop = 1;
  join_all(crew);
}

uint32_t crew_size(uint32_t wanted, uint64_t most) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (wanted == 0) wanted = cores > 0 ? (uint32_t)cores : 1;
  if (wanted > most) wanted = (uint32_t)most;
  if (wanted > MOST_THREADS) wanted = MOST_THREADS;
  return wanted > 0 ? wanted : 1;
}

Crew *crew_hire(Model *model, const qdot_run_options *run, uint32_t size, CrewWork *work,
                void *user) {
  Context *cx = model->cx;
  Crew *crew = arena_new(cx->results, Crew);
  *crew = (Crew){.model = model, .run = run, .work = work, .user = user};
  guard_register(&cx->guard, &crew->handle, crew, dismiss);
  while (crew->count + 1 < size &&
         pthread_create(&crew->threads[crew->count], NULL, helper_main, crew) == 0)
    crew->count++;
  return crew;
}

void crew_wait(Crew *crew) {
  join_all(crew);
  guard_close(&crew->model->cx->guard, &crew->handle);
}
