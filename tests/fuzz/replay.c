// Runs a fuzzing program's entry point on files: every one of a corpus, in any build.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void run_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  static uint8_t bytes[1 << 20];
  size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  // shown when the program ends within it
  printf("%s\n", name);
  fflush(stdout);
  // in memory of its own size, for the sanitizer's sake
  uint8_t *data = malloc(n ? n : 1);
  if (!data) exit(1);
  memcpy(data, bytes, n);
  LLVMFuzzerTestOneInput(data, n);
  free(data);
}

int main(int count, char **folders) {
  int files = 0;
  for (int i = 1; i < count; i++) {
    struct dirent **entries;
    int n = scandir(folders[i], &entries, NULL, by_name);
    for (int k = 0; k < n; k++) {
      if (entries[k]->d_name[0] != '.') run_file(folders[i], entries[k]->d_name), files++;
      free(entries[k]);
    }
    if (n >= 0) free(entries);
  }
  printf("%d inputs\n", files);
  return files > 0 ? 0 : 1;
}
