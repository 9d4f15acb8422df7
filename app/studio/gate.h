// Who may come in: the one-time token of the first link, the cookie that it is exchanged for, and
// the exact names under which this server may be addressed.
#ifndef STUDIO_GATE_H
#define STUDIO_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SECRET_LENGTH = 64 }; // hexadecimal digits

typedef struct Gate {
  pthread_mutex_t lock;
  unsigned port;
  char cookie_name[32];           // qdot_studio_PORT: browsers share cookies between ports
  char cookie[SECRET_LENGTH + 1]; // for as long as the server runs
  char token[SECRET_LENGTH + 1];  // of the link that was printed last; "" once it was used
} Gate;

// False where the system has no random numbers.
bool gate_open(Gate *gate, unsigned port);
// A new token for another link; the one before is void.
bool gate_renew(Gate *gate, char token[SECRET_LENGTH + 1]);
// Is this the token? It works once.
bool gate_take_token(Gate *gate, const char *token);
// Is our cookie among those of a Cookie header?
bool gate_knows_cookie(const Gate *gate, const char *header);
// 127.0.0.1:PORT or localhost:PORT, to the letter.
bool gate_is_host(const Gate *gate, const char *host);
// http:// before the very host that was asked.
bool gate_is_origin(const Gate *gate, const char *origin, const char *host);

#endif
