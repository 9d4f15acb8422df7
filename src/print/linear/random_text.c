// Responses to random inputs for a terminal.
#include <math.h>
#include <string.h>

#include "print/linear/response_text.h"
#include "print/quantity.h"
#include "print/random_unit.h"

static void add_source(const Linearized *l, const RandomSource *s, Text *out) {
  const Model *model = l->system->model;
  const NameEntry *entry = model_find_text(model, s->name);
  Quantity quantity = quantity_of_measure(&model->inputs.at[entry->number].measure);
  if (s->line->road)
    text_addf(out, "road of class %c at %.6g m/s (ISO 8608)", s->line->road, s->speed);
  else
    text_add(out, s->line->frequency ? "with a density of its own" : "of equal density");
  text_addf(out, ", from %.6g Hz", s->low);
  if (isfinite(s->high)) text_addf(out, " to %.6g Hz", s->high);
  if (isfinite(s->rms))
    text_addf(out, ", rms %.6g %s", s->rms, quantity_unit(&l->cx->scratch, quantity));
  text_add(out, "\n");
}

static int widest(const RandomResponse *r) {
  size_t most = 8;
  for (uint32_t i = 0; i < r->input_count; i++)
    if (strlen(r->inputs[i].input.name) > most) most = strlen(r->inputs[i].input.name);
  for (uint32_t o = 0; o < r->output_count; o++)
    if (strlen(r->outputs[o].name) > most) most = strlen(r->outputs[o].name);
  return (int)most;
}

void random_text(const Linearized *l, const RandomResponse *r, Text *out) {
  static const char *const bounds[] = {"", "much at low frequencies: give 'from'",
                                       "much at high frequencies: give 'to'",
                                       "much in an undamped resonance"};
  if (r->source_count == 0) return;
  int width = widest(r);
  text_add(out, "\nrandom\n");
  for (uint32_t i = 0; i < r->input_count; i++) {
    const RandomInput *input = &r->inputs[i];
    const RandomSource *s = &r->sources[input->source];
    text_addf(out, "  %-*s  ", width, input->input.name);
    if (strcmp(s->name, input->input.name) == 0)
      add_source(l, s, out);
    else
      text_addf(out, "%s, %.6g s later\n", s->name, input->delay);
  }
  text_add(out, "\nroot mean squares\n");
  for (uint32_t o = 0; o < r->output_count; o++) {
    const RandomOutput *output = &r->outputs[o];
    text_addf(out, "  %-*s  ", width, output->name);
    if (output->bound != RANDOM_BOUNDED)
      text_addf(out, "unbounded: too %s", bounds[output->bound]);
    else
      text_addf(out, "%.6g %s", output->rms, random_unit(l, output));
    if (output->weight) text_addf(out, ", weighted by %s (ISO 2631-1)", output->weight);
    if (output->error > 1e-6) text_addf(out, ", certain to %.1g of it", output->error);
    text_add(out, "\n");
  }
}
