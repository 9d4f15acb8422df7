// The version of Qdot; part of qdot.h.
#ifndef QDOT_VERSION_H
#define QDOT_VERSION_H

#define QDOT_VERSION "0.1.0"
#define QDOT_VERSION_MAJOR 0
#define QDOT_VERSION_MINOR 1
#define QDOT_VERSION_PATCH 0
#define QDOT_VERSION_NUMBER                                                                        \
  (1000000 * QDOT_VERSION_MAJOR + 1000 * QDOT_VERSION_MINOR + QDOT_VERSION_PATCH)

#endif
