// Python with NumPy and SciPy.
#ifndef QDOT_EXPORT_PYTHON_H
#define QDOT_EXPORT_PYTHON_H

#include "export/content.h"

void export_python(const ExportContent *content, Arena *arena, ExportFiles *out);

#endif
