// Writers of the languages; export_system chooses.
// Sources: c.c, c_program.c
#ifndef QDOT_EXPORT_C_H
#define QDOT_EXPORT_C_H

#include "export/content.h"

void export_c(const ExportContent *content, Arena *arena, ExportFiles *out);
// NAME_plan.c, the engine, main.c and a Makefile: a program that prints the rows of `simulate`.
void write_c_program(const ExportContent *content, ExportFiles *out);

#endif
