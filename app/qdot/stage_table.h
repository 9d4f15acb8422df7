// What --stages tells: how often each stage of the work was done, and how long it took.
#ifndef QDOT_APP_STAGE_TABLE_H
#define QDOT_APP_STAGE_TABLE_H

#include "session.h"

// Prints the table, or the document, where it was asked for.
void stage_table_write(const Session *session);

#endif
