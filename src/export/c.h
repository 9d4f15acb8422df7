// Writers of the languages; export_system chooses.
// Sources: c.c, c_driver.c
#ifndef QDOT_EXPORT_C_H
#define QDOT_EXPORT_C_H

#include "export/content.h"

void export_c(const ExportContent *content, Arena *arena, ExportFiles *out);
// The program that integrates the exported equations and prints results as CSV.
void write_c_driver(const ExportContent *content, Text *out);

#endif
