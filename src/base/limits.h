// What a context may use before a call fails. 0 means no limit.
#ifndef QDOT_BASE_LIMITS_H
#define QDOT_BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Limits {
  size_t memory_bytes; // all memory of the context
  uint32_t nodes;      // nodes of the expression graph
  double seconds;      // time of one call
  uint32_t nesting;    // depth of brackets and blocks in a model's text
  uint32_t statements; // statements after loops are expanded
  bool own_folder;     // data files and parts are those beside the model: no other folder, no link
} Limits;

// 4 GiB (2 GiB where addresses have 32 bits), 50 million nodes, no time limit, 500 levels, a
// million statements.
Limits limits_defaults(void);

#endif
