// Blocks of a sweep as files.
#include "ask/sweep_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/folder.h"

static const char magic[8] = "QDOTSWB1";

typedef struct Header {
  char magic[8];
  uint64_t fingerprint, number;
  uint32_t count, measures, kept, text;
  uint64_t sum; // of all that follows
} Header;

SweepStore sweep_store(Context *cx, const Sweep *sweep, const char *folder) {
  return (SweepStore){cx, sweep, folder_path(cx->results, folder, "blocks")};
}

static const char *block_name(Arena *arena, uint64_t number) {
  return text_format(arena, "%012llu", (unsigned long long)number);
}

static uint64_t sum_of(const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  uint64_t sum = 0xCBF29CE484222325u;
  for (size_t i = 0; i < n; i++) sum = (sum ^ at[i]) * 0x100000001B3u;
  return sum;
}

// ---- Writing

static size_t payload_size(const Header *h) {
  return (size_t)h->count * h->measures * sizeof(double) + (size_t)h->count * sizeof(uint32_t) +
         (size_t)h->kept * sizeof(uint32_t) + h->text;
}

static char *put(char *at, const void *bytes, size_t n) {
  if (n > 0) memcpy(at, bytes, n);
  return at + n;
}

char *sweep_block_pack(Arena *arena, const Sweep *s, const SweepBlock *b, size_t *size) {
  Header h = {.fingerprint = s->fingerprint,
              .number = b->number,
              .count = b->count,
              .measures = s->measures,
              .kept = b->kept.n,
              .text = b->text.n};
  memcpy(h.magic, magic, sizeof magic);
  size_t n = payload_size(&h);
  char *bytes = arena_array(arena, char, sizeof h + n), *at = bytes + sizeof h;
  at = put(at, b->values, (size_t)b->count * s->measures * sizeof(double));
  at = put(at, b->reason, b->count * sizeof(uint32_t));
  at = put(at, b->kept.at, b->kept.n * sizeof(uint32_t));
  put(at, b->text.at, b->text.n);
  h.sum = sum_of(bytes + sizeof h, n);
  memcpy(bytes, &h, sizeof h);
  *size = sizeof h + n;
  return bytes;
}

static bool write_all(int file, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(file, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done, n -= (size_t)done;
  }
  return true;
}

// Several processes may write into one folder: the name beside is our own.
static Status write_file(const SweepStore *store, uint64_t number, const char *bytes, size_t n) {
  Context *cx = store->cx;
  const char *final =
      text_format(&cx->scratch, "%s/%s", store->folder, block_name(&cx->scratch, number));
  char *beside = text_format(&cx->scratch, "%s.XXXXXX", final);
  int file = mkstemp(beside);
  bool done = file >= 0 && fchmod(file, 0644) == 0 && write_all(file, bytes, n);
  int why = errno;
  if (file >= 0 && close(file) != 0 && done) done = false, why = errno;
  if (done && rename(beside, final) != 0) done = false, why = errno;
  if (done) return QDOT_OK;
  if (file >= 0) unlink(beside);
  return diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s", final, strerror(why));
}

Status sweep_store_write(const SweepStore *store, const SweepBlock *b) {
  Mark mark = arena_mark(&store->cx->scratch);
  size_t n;
  const char *bytes = sweep_block_pack(&store->cx->scratch, store->sweep, b, &n);
  Status status = write_file(store, b->number, bytes, n);
  arena_release(&store->cx->scratch, mark);
  return status;
}

// A file that only one can make; a job that is begun again has another name.
static int make_alone(const SweepStore *store, const char *name, const char *job) {
  Context *cx = store->cx;
  Mark mark = arena_mark(&cx->scratch);
  const char *path = text_format(&cx->scratch, "%s/%s.%s", store->folder, name, job);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  int why = file < 0 ? errno : 0;
  if (file >= 0) close(file);
  arena_release(&cx->scratch, mark);
  return why;
}

SweepClaim sweep_store_claim(const SweepStore *store, uint64_t block, const char *job) {
  Mark mark = arena_mark(&store->cx->scratch);
  int why = make_alone(store, block_name(&store->cx->scratch, block), job);
  arena_release(&store->cx->scratch, mark);
  // without claims work is done twice, not never
  return why == EEXIST ? CLAIM_TAKEN : why == ENOENT ? CLAIM_ENDED : CLAIM_OURS;
}

static const char *arrival(Arena *arena, uint32_t rank) {
  return text_format(arena, "0process-%u", rank);
}

void sweep_store_arrive(const SweepStore *store, uint32_t rank, const char *job) {
  Mark mark = arena_mark(&store->cx->scratch);
  make_alone(store, arrival(&store->cx->scratch, rank), job);
  arena_release(&store->cx->scratch, mark);
}

bool sweep_store_arrived(const SweepStore *store, uint32_t rank, const char *job) {
  Arena *scratch = &store->cx->scratch;
  Mark mark = arena_mark(scratch);
  bool is_there =
      access(text_format(scratch, "%s/%s.%s", store->folder, arrival(scratch, rank), job), F_OK) ==
      0;
  arena_release(scratch, mark);
  return is_there;
}

// ---- Reading

static bool is_ours(const Sweep *s, const Header *h, uint64_t number, size_t size) {
  return memcmp(h->magic, magic, sizeof magic) == 0 && h->fingerprint == s->fingerprint &&
         h->number == number && h->count == sweep_count(s, number) && h->measures == s->measures &&
         h->kept <= h->count && size == sizeof *h + payload_size(h);
}

Status sweep_store_put(const SweepStore *store, uint64_t block, const char *bytes, size_t n) {
  Header h;
  if (n < sizeof h || block >= store->sweep->blocks) return QDOT_BAD_ARGUMENT;
  memcpy(&h, bytes, sizeof h);
  if (!is_ours(store->sweep, &h, block, n) || sum_of(bytes + sizeof h, n - sizeof h) != h.sum)
    return QDOT_BAD_ARGUMENT;
  Mark mark = arena_mark(&store->cx->scratch);
  Status status = write_file(store, block, bytes, n);
  arena_release(&store->cx->scratch, mark);
  return status;
}

static FILE *open_block(const SweepStore *store, uint64_t number) {
  Context *cx = store->cx;
  Mark mark = arena_mark(&cx->scratch);
  FILE *file = fopen(
      text_format(&cx->scratch, "%s/%s", store->folder, block_name(&cx->scratch, number)), "rbe");
  arena_release(&cx->scratch, mark);
  return file;
}

// The whole file in the arena, if it is a good block.
static const char *load(const SweepStore *store, Arena *arena, uint64_t number, Header *h) {
  FILE *file = open_block(store, number);
  if (!file) return NULL;
  char *bytes = NULL;
  bool good = fread(h, sizeof *h, 1, file) == 1 && fseek(file, 0, SEEK_END) == 0;
  long size = good ? ftell(file) : -1;
  if (good && size > 0 && number < store->sweep->blocks &&
      is_ours(store->sweep, h, number, (size_t)size)) {
    size_t n = payload_size(h);
    bytes = arena_array(arena, char, n + 1);
    good = fseek(file, sizeof *h, SEEK_SET) == 0 && fread(bytes, 1, n, file) == n &&
           sum_of(bytes, n) == h->sum;
    if (!good) bytes = NULL;
  }
  fclose(file);
  return bytes;
}

bool sweep_store_has(const SweepStore *store, uint64_t number) {
  Mark mark = arena_mark(&store->cx->scratch);
  Header h;
  bool has = load(store, &store->cx->scratch, number, &h) != NULL;
  arena_release(&store->cx->scratch, mark);
  return has;
}

bool sweep_store_read(const SweepStore *store, Arena *arena, uint64_t number, SweepBlock *out) {
  const Sweep *s = store->sweep;
  Header h;
  const char *at = load(store, arena, number, &h);
  if (!at) return false;
  *out = (SweepBlock){.number = number, .first = sweep_first(s, number), .count = h.count};
  size_t values = (size_t)h.count * s->measures * sizeof(double);
  out->values = arena_array(arena, double, (size_t)h.count * s->measures);
  out->reason = arena_array(arena, uint32_t, h.count);
  memcpy(out->values, at, values);
  memcpy(out->reason, at + values, h.count * sizeof(uint32_t));
  at += values + h.count * sizeof(uint32_t);
  for (uint32_t i = 0; i < h.kept; i++) {
    uint32_t kept;
    memcpy(&kept, at + i * sizeof kept, sizeof kept);
    vec_push(arena, &out->kept, kept);
  }
  at += h.kept * sizeof(uint32_t);
  for (uint32_t i = 0; i < h.text; i++) vec_push(arena, &out->text, at[i]);
  for (uint32_t i = 0; i < h.count; i++) out->failed += out->reason[i] != 0;
  return true;
}

// ---- The folder

typedef struct Sorting {
  const SweepStore *store;
  SweepFound *found;
} Sorting;

// A file whose header is not of this sweep; what is half written is replaced later.
static bool is_of_another(const char *name, void *user) {
  Sorting *sorting = user;
  const SweepStore *store = sorting->store;
  Header h;
  char *end;
  uint64_t number = strtoull(name, &end, 10);
  if (end == name) return false; // none of ours
  if (*end != 0) return false;   // somebody may be writing it
  FILE *file = open_block(store, number);
  if (!file) return false; // somebody has removed it
  bool other = fread(&h, sizeof h, 1, file) != 1 || memcmp(h.magic, magic, sizeof magic) != 0 ||
               h.fingerprint != store->sweep->fingerprint;
  struct stat about;
  if (!other && fstat(fileno(file), &about) == 0) sorting->found->bytes += (double)about.st_size;
  fclose(file);
  sorting->found->removed += other;
  return other;
}

static bool is_any(const char *name, void *user) {
  (void)user;
  return name[0] >= '0' && name[0] <= '9';
}

Status sweep_store_begin(const SweepStore *store, SweepFound *found) {
  Sorting sorting = {store, found};
  *found = (SweepFound){0};
  Status status = folder_make(store->cx, store->folder);
  if (status == QDOT_OK) folder_clear(store->cx, store->folder, is_of_another, &sorting);
  return status;
}

double sweep_blocks_bytes(const Sweep *s) {
  return (double)s->blocks * sizeof(Header) +
         (double)s->cases * (double)(s->measures * sizeof(double) + sizeof(uint32_t));
}

void sweep_store_remove(const SweepStore *store) {
  folder_clear(store->cx, store->folder, is_any, NULL);
  rmdir(store->folder);
}
