// Work that takes longer than a second says so on the terminal, unless it shows its progress
// itself.
#ifndef QDOT_APP_PATIENCE_H
#define QDOT_APP_PATIENCE_H

// From now on a line on stderr counts the seconds, beginning with the first; only on a terminal.
void patience_begin(void);
// Takes the line away. Before anything else is written; without effect where nothing has begun.
void patience_end(void);

#endif
