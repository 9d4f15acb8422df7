// Events of the model's own in the exported C program.
#ifndef QDOT_EXPORT_C_EVENTS_H
#define QDOT_EXPORT_C_EVENTS_H

#include "export/content.h"

// Entries of the program's enumeration of sizes.
void write_c_event_sizes(const ExportContent *content, Text *out);
// Their table and functions: settle, find_event, treat. put: writes text in which @ is the name of
// the model and $ stands for the inputs at a state x.
void write_c_events(const ExportContent *content,
                    void (*put)(const ExportContent *content, const char *text, Text *out),
                    Text *out);

#endif
