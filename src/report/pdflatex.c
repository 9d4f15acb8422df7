// The one place that runs pdflatex.
#include "report/pdflatex.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "base/host/process.h"

enum { MOST_RUNS = 4 };

typedef struct Work {
  Context *cx;
  const PdflatexOptions *options;
  const char *folder, *name;
  double deadline;
} Work;

// NAME-part.log and its like: what is half done never has the name of what is finished.
static const char *part(const Work *w, const char *ending) {
  return text_format(&w->cx->scratch, "%s-part.%s", w->name, ending);
}

static const char *path(const Work *w, const char *file) {
  return folder_path(&w->cx->scratch, w->folder, file);
}

static Status run_once(Work *w, bool draft, Status (*meanwhile)(void *)) {
  Context *cx = w->cx;
  const char *program = w->options->program ? w->options->program : "pdflatex";
  const char *job = text_format(&cx->scratch, "-jobname=%s-part", w->name);
  const char *arguments[] = {program,
                             "-interaction=nonstopmode",
                             "-halt-on-error",
                             "-no-shell-escape",
                             job,
                             draft ? "-draftmode" : "-file-line-error",
                             text_format(&cx->scratch, "%s.tex", w->name),
                             NULL};
  ProcessOptions how = {.arguments = arguments, .folder = *w->folder ? w->folder : "."};
  Process process;
  Status status = process_open(cx, &process, &how);
  bool started = status == QDOT_OK;
  double began = context_seconds();
  Status worked = meanwhile ? meanwhile(w->options->user) : QDOT_OK;
  w->deadline += context_seconds() - began;
  double left = w->deadline - context_seconds();
  if (started) status = process_wait(cx, &process, left > 0 ? left : 0);
  process_close(cx, &process);
  if (worked != QDOT_OK) return worked;
  if (status == QDOT_TIMEOUT) {
    diag_warning_plain(cx, "no %s.pdf: '%s' did not finish in time", w->name, program);
    return QDOT_NO_PROGRAM;
  }
  if (status == QDOT_NO_PROGRAM && !started) {
    diag_warning_plain(cx, "no %s.pdf: '%s' is not installed", w->name, program);
    diag_note(cx, "'%s' can be typeset on another machine, together with its pictures",
              path(w, text_format(&cx->scratch, "%s.tex", w->name)));
  } else if (status == QDOT_NO_PROGRAM) {
    rename(path(w, part(w, "log")), path(w, text_format(&cx->scratch, "%s.log", w->name)));
    diag_warning_plain(cx, "no %s.pdf: '%s' failed", w->name, program);
    diag_note(cx, "see '%s'", path(w, text_format(&cx->scratch, "%s.log", w->name)));
  }
  return status;
}

// The table of contents as it was written last; "" when there is none.
static const char *contents(const Work *w) {
  const char *bytes = "";
  size_t n;
  const char *file = part(w, "toc");
  if (access(path(w, file), R_OK) != 0) return "";
  return folder_read(w->cx, &w->cx->scratch, w->folder, file, &bytes, &n) == QDOT_OK ? bytes : "";
}

// A quick run for the table of contents, then the document until that stands still.
static Status run_all(Work *w) {
  Status status = run_once(w, true, w->options->meanwhile);
  for (int i = 0; i < MOST_RUNS && status == QDOT_OK; i++) {
    const char *before = contents(w);
    status = run_once(w, false, NULL);
    if (strcmp(contents(w), before) == 0) break;
  }
  return status;
}

static bool is_left_over(const char *name, void *user) {
  const char *stem = user;
  return strncmp(name, stem, strlen(stem)) == 0;
}

Status pdflatex_run(Context *cx, const PdflatexOptions *options, const char *folder,
                    const char *name) {
  Mark mark = arena_mark(&cx->scratch);
  double seconds = options->seconds > 0 ? options->seconds : 120;
  Work w = {cx, options, folder, name, context_seconds() + seconds};
  const char *log = path(&w, text_format(&cx->scratch, "%s.log", name));
  unlink(log);
  Status status = run_all(&w);
  const char *pdf = text_format(&cx->scratch, "%s.pdf", name);
  if (status == QDOT_OK && rename(path(&w, part(&w, "pdf")), path(&w, pdf)) != 0)
    status = diag_error_plain(cx, QDOT_IO, "cannot write '%s'", path(&w, pdf));
  // A document of an earlier report would contradict this one.
  if (status == QDOT_NO_PROGRAM) unlink(path(&w, pdf));
  folder_clear(cx, folder, is_left_over, text_format(&cx->scratch, "%s-part.", name));
  arena_release(&cx->scratch, mark);
  return status;
}
