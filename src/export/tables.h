// Tables in exported files: their numbers, and the function that looks them up.
#ifndef QDOT_EXPORT_TABLES_H
#define QDOT_EXPORT_TABLES_H

#include "export/content.h"

// Does any program of the content look something up?
bool content_has_tables(const ExportContent *content);
// table_value(number, aspect, x) with the tables that the programs use.
void write_tables(const ExportContent *content, Dialect dialect, Text *out);

#endif
