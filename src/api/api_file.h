// Files that the library reads.
#ifndef QDOT_API_API_FILE_H
#define QDOT_API_API_FILE_H

#include "base/context.h"
#include "qdot/qdot.h"

// The whole file in the scratch arena; a mistake is reported.
Status file_read(Context *cx, const char *path, Text *out);

#endif
