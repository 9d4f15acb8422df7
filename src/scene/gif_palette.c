// The few colours of an animation: the most frequent first, by median cut.
#include <stdlib.h>
#include <string.h>

#include "scene/gif.h"

static uint32_t bin_of(uint32_t pixel) {
  return (pixel >> 9 & 0x7C00) | (pixel >> 6 & 0x3E0) | (pixel >> 3 & 0x1F);
}

void gif_count(GifHistogram *histogram, const uint32_t *pixels, size_t n) {
  for (size_t i = 0; i < n; i++) histogram->count[bin_of(pixels[i])]++;
}

static int channel(uint32_t bin, int which) { return bin >> (10 - 5 * which) & 31; }

// A set of bins that will be one colour.
typedef struct Cluster {
  uint32_t begin, end; // in the list of bins
  double weight;       // spread times frequency: what a cut gains
  int widest;          // channel
} Cluster;

// Frequent colours count by the cube root, so that thin lines keep theirs beside a wide ground.
static double importance(uint32_t count) {
  double root = 1;
  while (root * root * root < count) root *= 1.26;
  return root;
}

static void measure(const uint32_t *bins, const GifHistogram *h, Cluster *c) {
  double best = -1, all = 0;
  for (uint32_t i = c->begin; i < c->end; i++) all += importance(h->count[bins[i]]);
  for (int which = 0; which < 3; which++) {
    double sum = 0, square = 0;
    for (uint32_t i = c->begin; i < c->end; i++) {
      double w = importance(h->count[bins[i]]), x = channel(bins[i], which);
      sum += w * x, square += w * x * x;
    }
    double spread = square - sum * sum / all;
    if (spread > best) best = spread, c->widest = which;
  }
  c->weight = c->end - c->begin > 1 ? best : -1;
}

typedef struct BinOrder {
  uint32_t bin;
  int key;
} BinOrder;

static int by_key(const void *a, const void *b) {
  const BinOrder *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->bin < y->bin ? -1 : x->bin > y->bin;
}

// Splits at the median of importance along the widest channel.
static Cluster cut(Context *cx, uint32_t *bins, const GifHistogram *h, Cluster *c) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = c->end - c->begin;
  BinOrder *order = arena_array(&cx->scratch, BinOrder, n);
  double all = 0, so_far = 0;
  for (uint32_t i = 0; i < n; i++) {
    order[i] = (BinOrder){bins[c->begin + i], channel(bins[c->begin + i], c->widest)};
    all += importance(h->count[order[i].bin]);
  }
  qsort(order, n, sizeof *order, by_key);
  uint32_t half = 0;
  for (uint32_t i = 0; i < n; i++) {
    bins[c->begin + i] = order[i].bin;
    so_far += importance(h->count[order[i].bin]);
    if (so_far <= all / 2) half = i + 1;
  }
  if (half == 0) half = 1;
  if (half == n) half = n - 1;
  Cluster upper = {.begin = c->begin + half, .end = c->end};
  c->end = c->begin + half;
  measure(bins, h, c);
  measure(bins, h, &upper);
  arena_release(&cx->scratch, mark);
  return upper;
}

// The colour of a cluster: its most frequent bin, so that the ground and full lines are exact.
static uint32_t cluster_colour(const uint32_t *bins, const GifHistogram *h, const Cluster *c) {
  uint32_t best = bins[c->begin];
  for (uint32_t i = c->begin; i < c->end; i++)
    if (h->count[bins[i]] > h->count[best]) best = bins[i];
  uint32_t colour = 0;
  for (int which = 0; which < 3; which++) {
    uint32_t five = (uint32_t)channel(best, which);
    colour = colour << 8 | (five << 3 | five >> 2);
  }
  return colour;
}

static uint8_t nearest_colour(const GifPalette *palette, uint32_t bin) {
  uint32_t best = 0;
  int least = 1 << 30;
  for (uint32_t i = 0; i < palette->count; i++) {
    int distance = 0;
    static const int weights[] = {3, 6, 1};
    for (int which = 0; which < 3; which++) {
      int d = channel(bin, which) - (int)(palette->colours[i] >> (19 - 8 * which) & 31);
      distance += weights[which] * d * d;
    }
    if (distance < least) least = distance, best = i;
  }
  return (uint8_t)best;
}

void gif_choose_palette(Context *cx, const GifHistogram *histogram, GifPalette *out) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t *bins = arena_array(&cx->scratch, uint32_t, 1 << 15), n = 0;
  for (uint32_t i = 0; i < 1 << 15; i++)
    if (histogram->count[i]) bins[n++] = i;
  if (n == 0) bins[n++] = (1 << 15) - 1;
  Cluster clusters[GIF_COLOURS] = {{.begin = 0, .end = n}};
  uint32_t count = 1;
  measure(bins, histogram, &clusters[0]);
  while (count < GIF_COLOURS) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
      if (clusters[i].weight > clusters[best].weight) best = i;
    if (clusters[best].weight <= 0) break;
    Cluster upper = cut(cx, bins, histogram, &clusters[best]);
    clusters[count++] = upper;
  }
  out->count = count;
  for (uint32_t i = 0; i < count; i++)
    out->colours[i] = cluster_colour(bins, histogram, &clusters[i]);
  for (uint32_t i = 0; i < 1 << 15; i++) out->nearest[i] = nearest_colour(out, i);
  arena_release(&cx->scratch, mark);
}
