// The table of a sweep as HDF5, which Python, MATLAB, Octave and Julia read.
//
// The library is loaded when a table is asked for, and its few functions are declared here. Times
// are off, columns lie in one piece and nothing is compressed: the same sweep gives the same bytes.
#include "ask/sweep_hdf5.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/host/folder.h"
#include "qdot/qdot.h"

typedef int64_t Id; // hid_t since 1.10

// The functions that are used: result, name, arguments.
#define FUNCTIONS(F)                                                                               \
  F(int, H5dont_atexit, (void))                                                                    \
  F(int, H5open, (void))                                                                           \
  F(int, H5get_libversion, (unsigned *, unsigned *, unsigned *))                                   \
  F(int, H5Eset_auto2, (Id, void *, void *))                                                       \
  F(Id, H5Fcreate, (const char *, unsigned, Id, Id))                                               \
  F(int, H5Fclose, (Id))                                                                           \
  F(Id, H5Gcreate2, (Id, const char *, Id, Id, Id))                                                \
  F(int, H5Gclose, (Id))                                                                           \
  F(Id, H5Screate_simple, (int, const uint64_t *, const uint64_t *))                               \
  F(Id, H5Screate, (int))                                                                          \
  F(int, H5Sselect_hyperslab,                                                                      \
    (Id, int, const uint64_t *, const uint64_t *, const uint64_t *, const uint64_t *))             \
  F(int, H5Sclose, (Id))                                                                           \
  F(Id, H5Pcreate, (Id))                                                                           \
  F(int, H5Pset_obj_track_times, (Id, bool))                                                       \
  F(int, H5Pset_char_encoding, (Id, int))                                                          \
  F(int, H5Pclose, (Id))                                                                           \
  F(Id, H5Dcreate2, (Id, const char *, Id, Id, Id, Id, Id))                                        \
  F(int, H5Dwrite, (Id, Id, Id, Id, Id, const void *))                                             \
  F(int, H5Dclose, (Id))                                                                           \
  F(Id, H5Acreate2, (Id, const char *, Id, Id, Id, Id))                                            \
  F(int, H5Awrite, (Id, Id, const void *))                                                         \
  F(int, H5Aclose, (Id))                                                                           \
  F(Id, H5Tcopy, (Id))                                                                             \
  F(int, H5Tset_size, (Id, size_t))                                                                \
  F(int, H5Tset_cset, (Id, int))                                                                   \
  F(int, H5Tset_strpad, (Id, int))                                                                 \
  F(int, H5Tclose, (Id))

// What the header calls H5F_ACC_TRUNC, H5S_SCALAR, H5S_SELECT_SET, H5T_CSET_UTF8, H5T_STR_NULLPAD.
enum { TRUNCATE = 2, SCALAR = 0, SELECT_SET = 0, UTF8 = 1, ZEROS_BEHIND = 1 };

typedef struct Hdf5 {
#define FIELD(result, name, arguments) result(*name) arguments;
  FUNCTIONS(FIELD)
#undef FIELD
  Id number, integer, text;         // types
  Id dataset_options, link_options; // classes
} Hdf5;

typedef struct Table {
  const Sweep *sweep;
  const Hdf5 *h;
  Id file, group, rows, status, plain, linked;
  Id *columns;   // case, axes, measures, status
  double *cells; // of the columns of a block, one after the other
  int64_t *numbers;
  char *words;
  size_t width; // of a status
  double *at;
  bool is_broken;
  Handle handle;
} Table;

// ---- The library

static bool take_id(void *library, const char *name, Id *out) {
  const Id *found = dlsym(library, name);
  if (found) *out = *found;
  return found != NULL;
}

// Debian's serial one first: that for MPI would begin to speak to other processes.
static void *open_library(void) {
  static const char *const names[] = {
      "libhdf5_serial.so.103", "libhdf5_serial.so.310", "libhdf5_serial.so", "libhdf5.so.103",
      "libhdf5.so.200",        "libhdf5.so.310",        "libhdf5.so"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static bool is_new_enough(const Hdf5 *h) {
  unsigned major, minor, release;
  return h->H5get_libversion(&major, &minor, &release) >= 0 &&
         (major > 1 || (major == 1 && minor >= 10));
}

static bool load(Hdf5 *h) {
  void *library = open_library();
  bool good = library != NULL;
#define LOAD(result, name, arguments)                                                              \
  if (good) *(void **)&h->name = dlsym(library, #name), good = h->name != NULL;
  FUNCTIONS(LOAD)
#undef LOAD
  // all is closed here; its handler at exit crashes on a file that the disk had no room for
  if (!good || h->H5dont_atexit() < 0 || h->H5open() < 0 || !is_new_enough(h)) return false;
  h->H5Eset_auto2(0, NULL, NULL);
  return take_id(library, "H5T_IEEE_F64LE_g", &h->number) &&
         take_id(library, "H5T_STD_I64LE_g", &h->integer) &&
         take_id(library, "H5T_C_S1_g", &h->text) &&
         take_id(library, "H5P_CLS_DATASET_CREATE_ID_g", &h->dataset_options) &&
         take_id(library, "H5P_CLS_LINK_CREATE_ID_g", &h->link_options);
}

// Loaded once for the process, which keeps it; it serves one caller at a time.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static const Hdf5 *library(void) {
  static Hdf5 loaded;
  static enum { UNTRIED, THERE, MISSING } state;
  if (state == UNTRIED) state = load(&loaded) ? THERE : MISSING;
  return state == THERE ? &loaded : NULL;
}

bool sweep_hdf5_is_there(void) {
  pthread_mutex_lock(&turn);
  bool is_there = library() != NULL;
  pthread_mutex_unlock(&turn);
  return is_there;
}

// ---- Texts, numbers, columns

static Id text_type(const Hdf5 *h, size_t length) {
  Id type = h->H5Tcopy(h->text);
  h->H5Tset_size(type, length > 0 ? length : 1);
  h->H5Tset_cset(type, UTF8);
  h->H5Tset_strpad(type, ZEROS_BEHIND);
  return type;
}

static void write_attribute(Table *t, Id of, const char *name, Id type, const void *value) {
  const Hdf5 *h = t->h;
  Id space = h->H5Screate(SCALAR);
  Id attribute = h->H5Acreate2(of, name, type, space, 0, 0);
  t->is_broken |= attribute < 0 || h->H5Awrite(attribute, type, value) < 0;
  h->H5Aclose(attribute), h->H5Sclose(space);
}

static void add_text(Table *t, Id of, const char *name, const char *text) {
  Id type = text_type(t->h, strlen(text));
  write_attribute(t, of, name, type, text);
  t->h->H5Tclose(type);
}

static void add_whole(Table *t, const char *name, uint64_t value) {
  int64_t number = (int64_t)value;
  write_attribute(t, t->file, name, t->h->integer, &number);
}

// A whole dataset of texts: attributes have no room for long ones.
static void add_texts(Table *t, const char *name, const char *cells, size_t width, uint64_t count,
                      bool is_list) {
  const Hdf5 *h = t->h;
  Id type = text_type(h, width);
  Id space = is_list ? h->H5Screate_simple(1, &count, NULL) : h->H5Screate(SCALAR);
  Id made = h->H5Dcreate2(t->file, name, type, space, 0, t->plain, 0);
  t->is_broken |= made < 0 || h->H5Dwrite(made, type, 0, 0, 0, width > 0 ? cells : "") < 0;
  h->H5Dclose(made), h->H5Sclose(space), h->H5Tclose(type);
}

static void add_list(Table *t, const char *name, const char *const *texts, uint64_t count) {
  Arena *arena = &t->sweep->cx->scratch;
  size_t width = 1;
  for (uint64_t i = 0; i < count; i++)
    if (strlen(texts[i]) > width) width = strlen(texts[i]);
  char *cells = arena_array(arena, char, count *width);
  for (uint64_t i = 0; i < count; i++) memcpy(cells + i * width, texts[i], strlen(texts[i]));
  add_texts(t, name, cells, width, count, true);
}

static void add_column(Table *t, uint32_t k, const char *name, Id type, const char *unit,
                       const char *kind) {
  t->columns[k] = t->h->H5Dcreate2(t->group, name, type, t->rows, t->linked, t->plain, 0);
  t->is_broken |= t->columns[k] < 0;
  if (t->is_broken || !kind) return;
  add_text(t, t->columns[k], "unit", unit);
  add_text(t, t->columns[k], "kind", kind);
}

// ---- Blocks

static void put(Table *t, uint32_t k, Id type, const SweepBlock *b, const void *cells) {
  const Hdf5 *h = t->h;
  uint64_t first = b->first, count = b->count;
  Id here = h->H5Screate_simple(1, &count, NULL);
  h->H5Sselect_hyperslab(t->rows, SELECT_SET, &first, NULL, &count, NULL);
  t->is_broken |= h->H5Dwrite(t->columns[k], type, here, t->rows, 0, cells) < 0;
  h->H5Sclose(here);
}

static void gather(Table *t, const SweepBlock *b) {
  const Sweep *s = t->sweep;
  memset(t->words, 0, b->count * t->width);
  for (uint32_t i = 0; i < b->count; i++) {
    const char *reason = sweep_reason(b, i);
    const double *measures = b->values + (size_t)i * s->measures;
    double *column = t->cells + i;
    t->numbers[i] = (int64_t)(b->first + i + 1);
    sweep_values(s, b->first + i, t->at);
    for (uint32_t k = 0; k < s->axes; k++, column += b->count) *column = t->at[k];
    for (uint32_t k = 0; k < s->measures; k++, column += b->count)
      *column = isfinite(measures[k]) ? measures[k] : NAN; // one pattern of bits
    reason = reason ? reason : "ok";
    memcpy(t->words + i * t->width, reason, strlen(reason));
  }
}

static Status put_block(void *user, const SweepBlock *b) {
  Table *t = user;
  uint32_t numbers = t->sweep->axes + t->sweep->measures;
  gather(t, b);
  put(t, 0, t->h->integer, b, t->numbers);
  for (uint32_t k = 0; k < numbers; k++)
    put(t, 1 + k, t->h->number, b, t->cells + (size_t)k * b->count);
  put(t, 1 + numbers, t->status, b, t->words);
  return t->is_broken ? QDOT_IO : QDOT_OK;
}

// ---- The file

static Status find_width(void *user, const SweepBlock *b) {
  size_t *width = user;
  for (uint32_t at = 0; at < b->text.n; at += (uint32_t)strlen(b->text.at + at) + 1)
    if (strlen(b->text.at + at) > *width) *width = strlen(b->text.at + at);
  return QDOT_OK;
}

// The files that the model uses: names and texts.
static void add_parts(Table *t) {
  const Sweep *s = t->sweep;
  VEC(const char *) names = {0}, texts = {0};
  const ModelData *part;
  for (uint32_t at = 0; (part = model_next_part(s->model, &at));) {
    vec_push(&s->cx->scratch, &names, part->name);
    vec_push(&s->cx->scratch, &texts, s->cx->sources.at[part->source].text);
  }
  if (!names.n) return;
  add_list(t, "part_names", names.at, names.n);
  add_list(t, "part_texts", texts.at, texts.n);
}

static void describe(Table *t, const SweepColumn *columns) {
  const Sweep *s = t->sweep;
  Arena *arena = &s->cx->scratch;
  uint32_t numbers = s->axes + s->measures;
  const Source *source = &s->cx->sources.at[s->model->source];
  const char **names = arena_array(arena, const char *, numbers + 2);
  names[0] = "case", names[numbers + 1] = "status";
  for (uint32_t k = 0; k < numbers; k++) names[k + 1] = columns[k].name;
  add_text(t, t->file, "version", QDOT_VERSION);
  add_whole(t, "cases", s->cases);
  add_whole(t, "seed", s->seed);
  add_texts(t, "model", source->text, source->length, 1, false);
  add_parts(t);
  if (s->model->setting_count > 0)
    add_list(t, "settings", s->model->settings, s->model->setting_count);
  add_list(t, "columns", names, numbers + 2);
}

static void open_columns(Table *t, const SweepColumn *columns) {
  const Sweep *s = t->sweep;
  uint32_t numbers = s->axes + s->measures;
  t->rows = t->h->H5Screate_simple(1, &s->cases, NULL);
  t->status = text_type(t->h, t->width);
  t->group = t->h->H5Gcreate2(t->file, "table", 0, 0, 0);
  add_column(t, 0, "case", t->h->integer, NULL, NULL);
  for (uint32_t k = 0; k < numbers; k++)
    add_column(t, 1 + k, columns[k].name, t->h->number, columns[k].unit,
               k < s->axes ? "parameter" : "measure");
  add_column(t, 1 + numbers, "status", t->status, NULL, NULL);
}

static void take_room(Table *t, Context *cx) {
  const Sweep *s = t->sweep;
  size_t numbers = s->axes + s->measures;
  t->columns = arena_array(&cx->scratch, Id, numbers + 2);
  t->cells = arena_array(&cx->scratch, double, s->block *numbers);
  t->numbers = arena_array(&cx->scratch, int64_t, s->block);
  t->words = arena_array(&cx->scratch, char, s->block * t->width);
  t->at = arena_array(&cx->scratch, double, s->axes);
}

// Also when the guard trips.
static void close_table(void *object) {
  Table *t = object;
  uint32_t count = t->sweep->axes + t->sweep->measures + 2;
  for (uint32_t k = 0; k < count; k++)
    if (t->columns[k] > 0 && t->h->H5Dclose(t->columns[k]) < 0) t->is_broken = true;
  t->h->H5Tclose(t->status), t->h->H5Sclose(t->rows), t->h->H5Gclose(t->group);
  t->h->H5Pclose(t->linked), t->h->H5Pclose(t->plain);
  if (t->h->H5Fclose(t->file) < 0) t->is_broken = true;
  pthread_mutex_unlock(&turn);
}

static Status fill(Table *t, const SweepStore *stores, uint32_t count, const char *path,
                   const SweepColumn *columns) {
  const Hdf5 *h = t->h;
  Guard *guard = &t->sweep->cx->guard;
  pthread_mutex_lock(&turn);
  guard_register(guard, &t->handle, t, close_table);
  t->file = h->H5Fcreate(path, TRUNCATE, 0, 0);
  t->plain = h->H5Pcreate(h->dataset_options);
  t->linked = h->H5Pcreate(h->link_options);
  h->H5Pset_obj_track_times(t->plain, false);
  h->H5Pset_char_encoding(t->linked, UTF8);
  describe(t, columns);
  open_columns(t, columns);
  Status status = t->is_broken ? QDOT_IO : sweep_join(t->sweep, stores, count, put_block, t);
  guard_close(guard, &t->handle);
  return status == QDOT_OK && t->is_broken ? QDOT_IO : status;
}

Status sweep_hdf5_missing(Context *cx) {
  Status status = diag_error_plain(cx, QDOT_NO_PROGRAM, "the HDF5 library is not installed");
  diag_note(cx, "Debian has it in the package libhdf5-103-1; a table as CSV needs nothing");
  return status;
}

Status sweep_write_hdf5(Context *cx, const Sweep *s, const SweepStore *stores, uint32_t count,
                        const SweepColumn *columns, const char *folder) {
  if (!sweep_hdf5_is_there()) return sweep_hdf5_missing(cx);
  Table t = {.sweep = s, .h = library(), .width = strlen("ok")};
  Status status = sweep_join(s, stores, count, find_width, &t.width);
  if (status != QDOT_OK) return status;
  Part part;
  uint32_t errors = cx->diagnostics.errors;
  Mark mark = arena_mark(&cx->scratch);
  take_room(&t, cx);
  part_open(cx, folder, "table.h5", &part);
  status = fill(&t, stores, count, part.path, columns);
  arena_release(&cx->scratch, mark);
  if (status == QDOT_IO && cx->diagnostics.errors == errors)
    diag_error_plain(cx, QDOT_IO, "cannot write '%s': the disk may be full", part.final);
  return part_end(cx, &part, status);
}

double sweep_hdf5_bytes(const Sweep *s) {
  return 8192 + (double)s->cases * (10 + 8.0 * (s->axes + s->measures));
}
