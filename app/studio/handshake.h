// The answer to the key of a WebSocket's handshake (RFC 6455).
#ifndef STUDIO_HANDSHAKE_H
#define STUDIO_HANDSHAKE_H

enum { ACCEPT_LENGTH = 28 };

void handshake_accept(const char *key, char accept[ACCEPT_LENGTH + 1]);

#endif
