// Heads of requests to the studio: whatever bytes they are, what is read lies within them.
#include <stdint.h>
#include <stdlib.h>

#include "../../app/studio/http_head.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *bytes = malloc(size + 1);
  memcpy(bytes, data, size);
  size_t length = head_length(bytes, size);
  Head head;
  if (length > size) abort();
  if (length > 0 && head_read(bytes, length, &head)) {
    size_t all = strlen(head.method) + strlen(head.path) + strlen(head.query);
    for (size_t i = 0; i < head.header_count; i++)
      all += strlen(head.headers[i].name) + strlen(head.headers[i].value);
    if (all > length || head.header_count > MOST_HEADERS || head.path[0] != '/') abort();
    head_lists(head_find(&head, "Connection"), "upgrade");
    if (head_find(&head, "Transfer-Encoding")) abort();
  }
  free(bytes);
  return 0;
}
