// Files that the library reads.
#ifndef QDOT_API_API_FILE_H
#define QDOT_API_API_FILE_H

#include "base/context.h"
#include "qdot/qdot.h"

// The whole file in the scratch arena; a mistake is reported.
Status file_read(Context *cx, const char *path, Text *out);
// A file of bytes, up to 256 MiB, in the scratch arena; of one that does not begin with these eight
// letters no more than its beginning.
Status file_read_bytes(Context *cx, const char *path, const char *magic, Text *out);

#endif
