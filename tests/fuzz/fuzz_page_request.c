// Messages of pages to the studio: whatever bytes they are, a request is whole or refused.
#include <stdlib.h>
#include <string.h>

#include "../../app/studio/page_request.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *why;
  Request *request = request_read((const char *)data, size, &why);
  if (!request != !!why) abort();
  if (!request) return 0;
  bool good = request->file && request->text && request->kind && request->range &&
              strlen(request->text) == request->text_length &&
              request->text_length <= LARGEST_TEXT && request->offset <= LARGEST_TEXT &&
              request_room(request) < ROOM_COUNT;
  if (!good) abort();
  request_free(request);
  return 0;
}
