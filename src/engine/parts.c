// The table of the programs of a system.
#include "engine/parts.h"

static const struct {
  const char *name;
  unsigned needs;
} parts[EQUATION_PARTS] = {
#define PART(KEY, Name, name, needs, blocks) [PART_##KEY] = {#KEY, NEEDS_##needs},
#include "engine/parts.def"
#undef PART
};

unsigned part_needs(EquationPart part) { return parts[part].needs; }

const char *part_name(EquationPart part) { return parts[part].name; }

size_t part_size(EquationPart part, const Extents *extents) {
  const uint32_t *of = extents->of;
  switch (part) {
#define BLOCK(block, rows, columns) +(size_t)of[EXTENT_##rows] * of[EXTENT_##columns]
#define PART(KEY, Name, name, needs, blocks)                                                       \
  case PART_##KEY:                                                                                 \
    return 0 blocks;
#include "engine/parts.def"
#undef PART
#undef BLOCK
  case EQUATION_PARTS: break;
  }
  return 0;
}
