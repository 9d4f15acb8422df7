// What the lines of a model ask, answered beside its motion as far as that is soon done.
#ifndef QDOT_APP_QUESTIONS_H
#define QDOT_APP_QUESTIONS_H

#include "running.h"

enum { MOST_QUESTIONS = 8 };

typedef struct Question {
  const char *name, *verb; // the word of the line, and of what answers it
  qdot_answer *answer;     // one of these, or none
  qdot_tolerance *tolerance;
  qdot_response *response;
  qdot_synchronous *synchronous;
  bool is_left_out; // it takes too long
  double expected;  // seconds, or 0 where nobody knows
} Question;

typedef struct Questions {
  Question at[MOST_QUESTIONS];
  size_t n;
} Questions;

// Answers what can be answered in a few seconds, into the folder; run_seconds of computing is what
// the motion took. A sweep, whose table has a folder of its own, is left to its verb.
qdot_status questions_answer(Session *session, const char *folder, double run_seconds,
                             Questions *out);
// The answers as text, the files that were made, and the verbs for what is not answered.
qdot_status questions_write(const Questions *questions, const qdot_write_options *style);
void questions_list_files(const Questions *questions, const char *folder);
void questions_name_others(const Session *session, const Questions *questions);

#endif
