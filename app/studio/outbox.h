// Messages that wait to be sent to one page. A newer one of the same kind may take the place of an
// older one, so that a slow reader gets less, not later.
#ifndef STUDIO_OUTBOX_H
#define STUDIO_OUTBOX_H

#include <pthread.h>

#include "answer.h"

typedef struct Mail Mail;

typedef struct Outbox {
  pthread_mutex_t lock;
  Mail *first, *last;
  size_t count, bytes;
  bool is_full; // somebody does not read: the connection is to be ended
  int wake;     // an event counter
} Outbox;

bool outbox_open(Outbox *outbox);
void outbox_close(Outbox *outbox);
// Finishes the answer and takes it; replaces: in the place of one with the same verb.
void outbox_put(Outbox *outbox, Answer *answer, bool replaces);
// The next one, to be freed, or NULL.
char *outbox_next(Outbox *outbox, size_t *length);
void outbox_wake(Outbox *outbox);

#endif
