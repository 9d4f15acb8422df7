// Messages that wait to be sent to one page.
#include "outbox.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST_MAIL = 200 };
static const size_t MOST_BYTES = (size_t)128 << 20;

struct Mail {
  Mail *next;
  const char *verb;
  char *bytes;
  size_t length;
};

bool outbox_open(Outbox *outbox) {
  *outbox = (Outbox){.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  pthread_mutex_init(&outbox->lock, NULL);
  return outbox->wake >= 0;
}

void outbox_close(Outbox *outbox) {
  size_t length;
  for (char *bytes; (bytes = outbox_next(outbox, &length));) free(bytes);
  pthread_mutex_destroy(&outbox->lock);
  if (outbox->wake >= 0) close(outbox->wake);
}

void outbox_wake(Outbox *outbox) {
  uint64_t one = 1;
  if (write(outbox->wake, &one, sizeof one) < 0) return; // it is awake already
}

// The mail of the same kind that may be replaced, or NULL.
static Mail *find(const Outbox *outbox, const char *verb) {
  for (Mail *mail = outbox->first; mail; mail = mail->next)
    if (strcmp(mail->verb, verb) == 0) return mail;
  return NULL;
}

static void append(Outbox *outbox, Mail *mail) {
  if (outbox->last)
    outbox->last->next = mail;
  else
    outbox->first = mail;
  outbox->last = mail;
  outbox->count++;
}

void outbox_put(Outbox *outbox, Answer *answer, bool replaces) {
  const char *verb = answer->verb;
  size_t length;
  char *bytes = answer_finish(answer, &length);
  if (!bytes) return;
  pthread_mutex_lock(&outbox->lock);
  Mail *mail = replaces ? find(outbox, verb) : NULL;
  if (mail) {
    outbox->bytes -= mail->length;
    free(mail->bytes);
  } else if ((mail = calloc(1, sizeof *mail))) {
    mail->verb = verb;
    append(outbox, mail);
  }
  if (mail) {
    mail->bytes = bytes, mail->length = length;
    outbox->bytes += length;
  } else {
    free(bytes);
  }
  outbox->is_full = outbox->is_full || outbox->count > MOST_MAIL || outbox->bytes > MOST_BYTES;
  pthread_mutex_unlock(&outbox->lock);
  outbox_wake(outbox);
}

char *outbox_next(Outbox *outbox, size_t *length) {
  char *bytes = NULL;
  pthread_mutex_lock(&outbox->lock);
  Mail *mail = outbox->first;
  if (mail) {
    outbox->first = mail->next;
    if (!outbox->first) outbox->last = NULL;
    outbox->count--, outbox->bytes -= mail->length;
    bytes = mail->bytes, *length = mail->length;
    free(mail);
  }
  pthread_mutex_unlock(&outbox->lock);
  return bytes;
}
