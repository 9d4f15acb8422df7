// What all pages share: the gate, the folder, and who is there.
#ifndef STUDIO_SERVER_H
#define STUDIO_SERVER_H

#include "gate.h"
#include "model_files.h"

typedef struct Client Client;

typedef struct Server {
  Gate gate;
  Folder folder;
  const char *first_file; // that was named in the command, or NULL
  bool stays;             // when the last page is closed
  pthread_mutex_t lock;
  Client *clients;
  unsigned client_count;
  bool was_used; // there has been a page
  double left;   // when the last one was closed
  bool is_ending;
} Server;

enum { MOST_PAGES = 24 };

#endif
