// Events of the model's own in the exported Python module.
#ifndef QDOT_EXPORT_PYTHON_EVENTS_H
#define QDOT_EXPORT_PYTHON_EVENTS_H

#include "export/content.h"

// Their table and the class Events.
void write_python_events(const ExportContent *content, Text *out);
// The body of simulate() behind its first lines.
void write_python_eventful_run(const ExportContent *content, Text *out);

#endif
