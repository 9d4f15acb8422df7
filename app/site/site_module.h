// What the module qdot.js asks for, beside what the studio's page does.
#ifndef SITE_MODULE_H
#define SITE_MODULE_H

#include "qdot/qdot.h"

// what: "check", "derive", "run", "report", "export". settings: lines NAME=VALUE, which are taken
// apart. to, every: 0 for what the model says. language: of a report or an export.
void site_module(const char *what, const char *text, char *settings, double to, double every,
                 const char *language);

// A context with the limits of a page; to be closed.
qdot_context *site_context(void);

#endif
