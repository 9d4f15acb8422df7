// Verbs that answer what a line of the model asks.
#ifndef QDOT_APP_ANSWERING_H
#define QDOT_APP_ANSWERING_H

#include "session.h"

// Asks the question, with progress on a terminal and Ctrl-C, prints the answer and names its files.
int answering(const Arguments *arguments, const char *question);

#endif
