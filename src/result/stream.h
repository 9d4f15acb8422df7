// A file that is written front to back and gets its name at the end; what was killed on the way can
// be gone on with.
#ifndef QDOT_RESULT_STREAM_H
#define QDOT_RESULT_STREAM_H

#include "base/context.h"

enum { STREAM_BUFFER = 65536 };

// Bytes go to PATH.part; stream_finish renames it to PATH.
typedef struct Stream {
  Context *cx;
  const char *path, *part;
  int file;
  char *buffer;
  size_t used;
  uint64_t written; // bytes in the file
  bool keeps_part;  // for the caller to set: a file that is not finished stays as PATH.part
  Handle handle;
} Stream;

// Starts anew with a header. All functions report what fails with QDOT_IO.
Status stream_open(Context *cx, const char *path, const void *header, size_t n, Stream *out);
// Goes on with a file whose first `bytes` bytes are kept and the rest dropped. QDOT_BAD_FILE when
// PATH.part is shorter or has another header.
Status stream_resume(Context *cx, const char *path, const void *header, size_t n, uint64_t bytes,
                     Stream *out);
// Room for n bytes behind stream->used, at most STREAM_BUFFER; the caller counts what it uses.
Status stream_room(Stream *stream, size_t n);
Status stream_write(Stream *stream, const void *bytes, size_t n);
// A block ends here: where the next one, of about n bytes, would not fit, the file does, too.
Status stream_end_block(Stream *stream, size_t n);
// Puts everything on disk; *bytes is what stream_resume wants.
Status stream_keep(Stream *stream, uint64_t *bytes);
// Ends the file under its final name and closes it.
Status stream_finish(Stream *stream);
// Closes a file that is not finished; PATH.part is removed unless keeps_part is set. whole: what is
// in the buffer ends with a block.
void stream_leave(Stream *stream, bool whole);

#endif
