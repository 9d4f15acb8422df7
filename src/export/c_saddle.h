// The solve of constrained motion in exported C.
#ifndef QDOT_EXPORT_C_SADDLE_H
#define QDOT_EXPORT_C_SADDLE_H

#include "export/content.h"

// In the header: what is remembered of the rows, NAME_follow and NAME_project.
void write_saddle_declarations(const ExportContent *content, Text *out);
void write_follow_signature(const ExportContent *content, Text *out);
// In the source: solve_dense and NAME_project.
void write_saddle(const ExportContent *content, Text *out);

#endif
