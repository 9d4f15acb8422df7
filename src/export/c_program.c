// The program of the C export: the plan of the model, the engine that runs it, and how to build
// them.
#include "export/c.h"
#include "export/engine_text.inc"
#include "export/template.h"

static const char *const makefile = "# make && ./@ > results.csv\n"
                                    "CFLAGS = -O2 -std=c11\n"
                                    "OBJECTS = main.o @.o @_plan.o qdot_engine.o\n\n"
                                    "@: $(OBJECTS)\n"
                                    "\t$(CC) $(LDFLAGS) -o @ $(OBJECTS) -lm\n\n"
                                    "@.o: @.h\n"
                                    "main.o qdot_engine.o: qdot_engine.h\n\n"
                                    "clean:\n"
                                    "\trm -f @ $(OBJECTS)\n\n"
                                    ".PHONY: clean\n";

static void write_plan(const ExportContent *c, Text *out) {
  enum { IN_LINE = 24 };
  text_addf(out,
            "/* %s_plan.c: the motion of \"%s\" as a plan, which qdot_engine.c runs. */\n"
            "#include <stddef.h>\n\n"
            "extern const unsigned char %s_plan[];\n"
            "extern const size_t %s_plan_size;\n\n"
            "const unsigned char %s_plan[] = {",
            c->name, c->title, c->name, c->name, c->name);
  for (size_t i = 0; i < c->plan.n; i++)
    text_addf(out, "%s%u,", i % IN_LINE == 0 ? "\n  " : "", c->plan.at[i]);
  text_addf(out, "\n};\nconst size_t %s_plan_size = sizeof %s_plan;\n", c->name, c->name);
}

// A text in which @ is the name of the model.
static const char *named(const ExportContent *c, const char *text) {
  Text out = text_new(c->arena);
  template_add(&out, text, c->name);
  return out.at;
}

void write_c_program(const ExportContent *c, ExportFiles *out) {
  Text plan = text_new(c->arena);
  write_plan(c, &plan);
  const ExportFile files[] = {
      {named(c, "@_plan.c"), plan.at},  {"qdot_engine.c", qdot_engine_c},
      {"qdot_engine.h", qdot_engine_h}, {"main.c", named(c, main_c)},
      {"Makefile", named(c, makefile)},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) vec_push(c->arena, out, files[i]);
}
