// motion.bin: the stretches of a motion, written while it is computed.
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "result/motion.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they lie in memory");

typedef struct MotionHeader {
  char magic[8];
  uint32_t version, columns;
} MotionHeader;

typedef struct StretchHeader {
  uint32_t nodes, jumps;
} StretchHeader;

static MotionHeader header_of(uint32_t columns) {
  MotionHeader header = {.version = 1, .columns = columns};
  memcpy(header.magic, "QDOTMOVE", sizeof header.magic);
  return header;
}

// ---- Writing

Status motion_writer_open(Context *cx, const char *path, uint32_t columns, MotionWriter *out) {
  MotionHeader header = header_of(columns);
  *out = (MotionWriter){.columns = columns};
  return stream_open(cx, path, &header, sizeof header, &out->stream);
}

Status motion_writer_resume(Context *cx, const char *path, uint32_t columns, uint64_t bytes,
                            MotionWriter *out) {
  MotionHeader header = header_of(columns);
  *out = (MotionWriter){.columns = columns, .is_left_out = bytes == 0};
  if (out->is_left_out) return QDOT_OK;
  return stream_resume(cx, path, &header, sizeof header, bytes, &out->stream);
}

void motion_writer_leave_out(MotionWriter *w) {
  if (w->is_left_out) return;
  w->stream.keeps_part = false;
  stream_leave(&w->stream, false);
  w->is_left_out = true;
}

Status motion_writer_add(MotionWriter *w, const Stretch *stretch) {
  StretchHeader header = {stretch->nodes, stretch->jumps};
  size_t bytes = (size_t)stretch->nodes * w->columns * sizeof(double);
  if (w->is_left_out) return QDOT_OK;
  if (w->most > 0 && w->stream.written + w->stream.used + sizeof header + bytes > w->most) {
    motion_writer_leave_out(w);
    return QDOT_OK;
  }
  Status status = stream_write(&w->stream, &header, sizeof header);
  if (status == QDOT_OK) status = stream_write(&w->stream, stretch->cells, bytes);
  return status == QDOT_OK ? stream_end_block(&w->stream, bytes + sizeof header) : status;
}

// ---- Reading

static void close_stream(void *object) { fclose(((MotionReader *)object)->stream); }

static Status bad(MotionReader *r) {
  r->status =
      diag_error_plain(r->cx, QDOT_BAD_FILE, "'%s' is not the motion of this result", r->path);
  return r->status;
}

Status motion_reader_open(Context *cx, const char *path, uint32_t columns, MotionReader *out) {
  *out = (MotionReader){.cx = cx, .path = text_format(&cx->keep, "%s", path), .columns = columns};
  out->stream = fopen(path, "rbe");
  if (!out->stream) return QDOT_IO;
  guard_register(&cx->guard, &out->handle, out, close_stream);
  MotionHeader found, wanted = header_of(columns);
  if (fread(&found, sizeof found, 1, out->stream) != 1 ||
      memcmp(&found, &wanted, sizeof found) != 0) {
    motion_reader_close(out);
    out->stream = NULL;
    return bad(out);
  }
  out->cells = arena_array(&cx->keep, double, (size_t)STRETCH_MOST_NODES *columns);
  return QDOT_OK;
}

void motion_reader_close(MotionReader *r) { guard_close(&r->cx->guard, &r->handle); }

static bool is_known(uint32_t nodes) {
  return nodes == 2 || nodes == 3 || nodes == 5 || nodes == 8;
}

static bool next_in_file(void *user, Stretch *out) {
  MotionReader *r = user;
  StretchHeader header;
  if (r->status != QDOT_OK) return false;
  size_t read = fread(&header, 1, sizeof header, r->stream);
  if (read == 0 && !ferror(r->stream)) return false;
  if (read != sizeof header || !is_known(header.nodes) || header.jumps > 1) {
    bad(r);
    return false;
  }
  size_t count = (size_t)header.nodes * r->columns;
  if (fread(r->cells, sizeof(double), count, r->stream) != count) {
    bad(r);
    return false;
  }
  *out = (Stretch){
      .nodes = header.nodes, .columns = r->columns, .jumps = header.jumps != 0, .cells = r->cells};
  return true;
}

static void rewind_file(void *user) {
  MotionReader *r = user;
  fseek(r->stream, sizeof(MotionHeader), SEEK_SET);
  r->status = QDOT_OK;
}

static Status status_of_file(void *user) { return ((MotionReader *)user)->status; }

StretchSource motion_reader_source(MotionReader *r) {
  return (StretchSource){r, next_in_file, rewind_file, status_of_file};
}
