// Options of callers, who may have been built against an older or a newer header.
#ifndef QDOT_API_OPTIONS_H
#define QDOT_API_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

// Copies a struct of options, which begins with its size, into our own of `size` bytes; what the
// caller's does not have, and everything for NULL, is 0. False if the size is impossible, or if
// members are set that this library does not know.
bool api_options(const void *given, void *own, size_t size);

#endif
