// Files that the command itself writes.
#ifndef QDOT_APP_FILE_H
#define QDOT_APP_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Creates a file with this text, never over an old one; explains a failure on stderr.
bool file_create(const char *verb, const char *path, const char *text);

// Puts text into a file that may be there, all of it or nothing; explains a failure on stderr.
bool file_replace(const char *verb, const char *path, const char *text, size_t length);

#endif
