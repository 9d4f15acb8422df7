// Blocks of a sweep as files: each is written once, as a whole, and read by whoever joins them.
#ifndef QDOT_ASK_SWEEP_BLOCK_H
#define QDOT_ASK_SWEEP_BLOCK_H

#include "ask/sweep.h"

// Where the blocks of a sweep are: folder/blocks.
typedef struct SweepStore {
  Context *cx;
  const Sweep *sweep;
  const char *folder;
} SweepStore;

// Of a folder that is there. cx: of whoever works with it.
SweepStore sweep_store(Context *cx, const Sweep *sweep, const char *folder);
// Makes folder/blocks, and removes from it what belongs to another sweep: how many files that were,
// and how many bytes are there of this one.
typedef struct SweepFound {
  uint32_t removed;
  double bytes;
} SweepFound;
Status sweep_store_begin(const SweepStore *store, SweepFound *found);
// How many bytes all blocks take, about.
double sweep_blocks_bytes(const Sweep *sweep);
// Written beside and renamed, so that there is never a part of one. Fails with QDOT_IO.
Status sweep_store_write(const SweepStore *store, const SweepBlock *block);
// The same as bytes, in the arena, for another process; the other keeps them. QDOT_BAD_ARGUMENT:
// they are of another sweep.
char *sweep_block_pack(Arena *arena, const Sweep *sweep, const SweepBlock *block, size_t *n);
Status sweep_store_put(const SweepStore *store, uint64_t block, const char *bytes, size_t n);
// Several processes of one job share a folder. Of a block, OURS for the first of them that asks;
// ENDED: the folder is gone, the first process has made its table.
typedef enum SweepClaim { CLAIM_OURS, CLAIM_TAKEN, CLAIM_ENDED } SweepClaim;
SweepClaim sweep_store_claim(const SweepStore *store, uint64_t block, const char *job);
// A process says that it is there, so that the first does not remove the folder before.
void sweep_store_arrive(const SweepStore *store, uint32_t rank, const char *job);
bool sweep_store_arrived(const SweepStore *store, uint32_t rank, const char *job);
// Is there a whole block of this sweep? A file that is broken counts as none.
bool sweep_store_has(const SweepStore *store, uint64_t block);
// Reads it into the arena; false where there is none.
bool sweep_store_read(const SweepStore *store, Arena *arena, uint64_t block, SweepBlock *out);
// Removes all blocks, once they have become a table.
void sweep_store_remove(const SweepStore *store);

#endif
