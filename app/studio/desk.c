// Requests about files: what there is, opening, keeping, saving.
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "examples.h"

static void put(Client *client, Answer *answer) { outbox_put(&client->outbox, answer, false); }

// ---- Names

static void list_file(void *user, const char *name) { answer_text(user, NULL, name); }

static void list_files(Answer *answer, const Folder *folder) {
  answer_begin(answer, "files", '[');
  folder_list(folder, list_file, answer);
  answer_end(answer, ']');
}

static void list_examples(Answer *answer) {
  answer_begin(answer, "examples", '[');
  for (size_t i = 0; i < example_count; i++) {
    if (*examples[i].data) continue; // which the folder does not have
    answer_begin(answer, NULL, '{');
    answer_text(answer, "name", examples[i].name);
    answer_text(answer, "about", examples[i].comment);
    answer_end(answer, '}');
  }
  answer_end(answer, ']');
}

static void greet(Client *client, const Request *request) {
  const Server *server = client->server;
  Answer answer;
  answer_open(&answer, "welcome", request->id);
  answer_text(&answer, "version", qdot_version());
  answer_text(&answer, "file", server->first_file ? server->first_file : "");
  list_files(&answer, &server->folder);
  list_examples(&answer);
  put(client, &answer);
}

// ---- Texts

static void show_file(Client *client, const char *file) {
  pthread_mutex_lock(&client->server->lock);
  strncpy(client->file, file, LONGEST_NAME);
  pthread_mutex_unlock(&client->server->lock);
}

// What was typed last counts, whether it was saved or not.
static void open_file(Client *client, const Request *request) {
  const Folder *folder = &client->server->folder;
  size_t saved_length, kept_length;
  const char *why;
  char *saved = file_load(folder, request->file, &saved_length, &why);
  char *kept = journal_load(folder, request->file, &kept_length);
  if (!saved && !kept) {
    client_refuse(client, request, why);
    return;
  }
  Answer answer;
  answer_open(&answer, "opened", request->id);
  answer_text(&answer, "file", request->file);
  answer_bytes(&answer, "text", kept ? kept : saved, kept ? kept_length : saved_length);
  bool differs =
      kept && (!saved || kept_length != saved_length || memcmp(kept, saved, saved_length));
  answer_flag(&answer, "unsaved", differs);
  put(client, &answer);
  show_file(client, request->file);
  free(saved);
  free(kept);
}

static void save_file(Client *client, const Request *request) {
  const char *why =
      file_save(&client->server->folder, request->file, request->text, request->text_length);
  if (why) {
    client_refuse(client, request, why);
    return;
  }
  show_file(client, request->file);
  Answer answer;
  answer_open(&answer, "saved", request->id);
  answer_text(&answer, "file", request->file);
  list_files(&answer, &client->server->folder);
  put(client, &answer);
}

static void discard(Client *client, const Request *request) {
  journal_discard(&client->server->folder, request->file);
  open_file(client, request);
}

static const Example *example_find(const char *name) {
  for (size_t i = 0; i < example_count; i++)
    if (strcmp(examples[i].name, name) == 0) return &examples[i];
  return NULL;
}

static void open_example(Client *client, const Request *request) {
  const Example *example = example_find(request->kind);
  if (!example) {
    client_refuse(client, request, "there is no such example");
    return;
  }
  Answer answer;
  answer_open(&answer, "opened", request->id);
  answer_text(&answer, "file", "");
  answer_text(&answer, "text", example->text);
  put(client, &answer);
}

// Another browser, or another window that does not share cookies.
static void make_link(Client *client, const Request *request) {
  char token[SECRET_LENGTH + 1], path[SECRET_LENGTH + 16] = "/?token=";
  if (!gate_renew(&client->server->gate, token)) {
    client_refuse(client, request, "there are no random numbers");
    return;
  }
  Answer answer;
  answer_open(&answer, "link", request->id);
  answer_text(&answer, "path", strcat(path, token));
  put(client, &answer);
}

// ---- Edits

// The last text wins; other pages that show the file follow it.
static void tell_others(Client *client, const Request *request) {
  Server *server = client->server;
  pthread_mutex_lock(&server->lock);
  for (Client *other = server->clients; other; other = other->next) {
    if (other == client || strcmp(other->file, request->file) != 0) continue;
    Answer answer;
    answer_open(&answer, "changed", 0);
    answer_text(&answer, "file", request->file);
    answer_bytes(&answer, "text", request->text, request->text_length);
    outbox_put(&other->outbox, &answer, true);
  }
  pthread_mutex_unlock(&server->lock);
}

void desk_keep(Client *client, const Request *request) {
  const char *why = NULL;
  if (*request->file) {
    why =
        journal_write(&client->server->folder, request->file, request->text, request->text_length);
    show_file(client, request->file);
    tell_others(client, request);
  }
  Answer answer;
  answer_open(&answer, "kept", request->id);
  answer_text(&answer, "why", why);
  outbox_put(&client->outbox, &answer, true);
}

void desk_answer(Client *client, const Request *request) {
  switch (request->verb) {
  case VERB_hello: greet(client, request); break;
  case VERB_open: open_file(client, request); break;
  case VERB_save: save_file(client, request); break;
  case VERB_discard: discard(client, request); break;
  case VERB_example: open_example(client, request); break;
  case VERB_link: make_link(client, request); break;
  default: break;
  }
}
