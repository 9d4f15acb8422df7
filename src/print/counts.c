// The numbers of coordinates, constraints, contacts and degrees of freedom in words.
#include "print/counts.h"

static void add_count(Text *out, const char *before, uint32_t n, const char *one,
                      const char *many) {
  text_addf(out, "%s%u %s", before, n, n == 1 ? one : many);
}

void counts_add(Text *out, const char *title, Counts c) {
  text_add(out, title);
  const char *before = title[0] ? ": " : "";
  if (c.coordinates == 0 && c.states > 0) {
    add_count(out, before, c.states, "state", "states");
    return;
  }
  add_count(out, before, c.coordinates, "coordinate", "coordinates");
  if (c.constraints) add_count(out, ", ", c.constraints, "constraint", "constraints");
  if (c.contacts) add_count(out, ", ", c.contacts, "contact", "contacts");
  add_count(out, ", ", c.freedoms, "degree of freedom", "degrees of freedom");
}
