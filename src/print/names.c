// Taking names apart.
#include "print/names.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "base/words/greek.h"
#include "expr/node.h"
#include "model/part_name.h"

NameParts name_split(const char *name) {
  // A leading '_' belongs to the stem.
  size_t lead = name[0] == '_';
  NameParts parts = {.stem = name,
                     .stem_length = lead + strcspn(name + lead, "_[."),
                     .subscript = "",
                     .component = ""};
  const char *at = name + parts.stem_length;
  if (*at == '_' || *at == '[') {
    parts.is_index = *at == '[';
    parts.subscript = at + 1;
    size_t length = strcspn(at + 1, ".");
    at += 1 + length;
    parts.subscript_length = parts.is_index && at[-1] == ']' ? length - 1 : length;
  }
  if (*at == '.') {
    parts.component = at + 1;
    parts.component_length = strlen(at + 1);
  }
  return parts;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void digits_as_subscript(NameParts *parts) {
  size_t digits = 0;
  while (digits < parts->stem_length && is_digit(parts->stem[parts->stem_length - 1 - digits]))
    digits++;
  if (digits == parts->stem_length) return;
  parts->stem_length -= digits;
  parts->subscript = parts->stem + parts->stem_length;
  parts->subscript_length = digits;
}

// Bodies have an angle, joints a torque, springs and their like a force, contacts one across.
static bool is_mechanical(const Context *cx, const char *owner, size_t length) {
  static const char *const marks[] = {"theta", "T", "F", "N"};
  bool found = false;
  for (int i = 0; i < 4 && !found; i++) {
    char full[256];
    if (length + 8 > sizeof full) return false;
    memcpy(full, owner, length);
    full[length] = '.';
    strcpy(full + length + 1, marks[i]);
    found = intern_find(&cx->names, full, strlen(full)) != 0;
  }
  return found;
}

static bool is_one_symbol(const char *word, size_t length) {
  uint32_t letter;
  return greek_from_word(word, length) || utf8_decode(word, length, &letter) == length;
}

// Letters of what parts of a mechanism have: rod.mass is m_rod.
static const struct {
  const char *word, *stem;
} letters[] = {{"mass", "m"},      {"inertia", "J"},  {"length", "ℓ"},  {"length_0", "ℓ"},
               {"radius", "r"},    {"width", "b"},    {"height", "h"},  {"stiffness", "k"},
               {"damping", "c"},   {"friction", "c"}, {"preload", "F"}, {"angle_0", "alpha"},
               {"speed", "Omega"}, {"torque", "M"},   {"force", "F"},   {"ring", "R"},
               {"rolling", "f"},   {"x_1", "x"},      {"y_1", "y"},     {"x_2", "x"},
               {"y_2", "y"}};

static bool is_name_known(const Context *cx, const char *stem, const char *owner, size_t length) {
  char full[256];
  int n = snprintf(full, sizeof full, "%s%s%.*s", stem, length ? "_" : "", (int)length, owner);
  return n > 0 && (size_t)n < sizeof full && intern_find(&cx->names, full, (size_t)n) != 0;
}

// One of them, or the family of those with an index.
static bool is_part(const Context *cx, const char *owner, size_t length) {
  if (is_mechanical(cx, owner, length)) return true;
  bool found = false;
  for (int i = 0; i < 3 && !found && length < 200; i++) {
    char member[256];
    int n = snprintf(member, sizeof member, "%.*s[%d]", (int)length, owner, i);
    found = is_mechanical(cx, member, (size_t)n);
  }
  return found;
}

// link[i-1], where link[1] or another one is a part.
static bool is_family(const Context *cx, const char *owner, size_t length) {
  const char *open = memchr(owner, '[', length);
  if (!open || owner[length - 1] != ']' || is_digit(open[1])) return false;
  return is_part(cx, owner, (size_t)(open - owner));
}

// A number of a part under the letter of what it is, unless the model has a name that looks so.
static bool put_letter(const Context *cx, const char *name, NameParts *parts) {
  size_t owner = (size_t)(parts->component - 1 - name);
  if (strcmp(name, "gravity.g") == 0 && !is_name_known(cx, "g", "", 0)) {
    *parts = (NameParts){.stem = "g", .stem_length = 1, .subscript = "", .component = ""};
    return true;
  }
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    if (strcmp(parts->component, letters[i].word) != 0) continue;
    // the length of a spring is not a number
    if (strcmp(letters[i].word, "length") == 0 && !is_part(cx, name, owner)) return false;
    if (is_name_known(cx, letters[i].stem, name, owner)) return false;
    bool is_place = letters[i].word[1] == '_';
    *parts = (NameParts){.stem = letters[i].stem,
                         .stem_length = strlen(letters[i].stem),
                         .subscript = name,
                         .subscript_length = owner,
                         .component = is_place ? parts->component + 2 : "",
                         .component_length = is_place,
                         .is_owned = true};
    return true;
  }
  return false;
}

// left.l is the l of the part left, unless the model has an l_left.
static bool is_of_part(const Context *cx, const char *name, size_t owner) {
  if (part_prefix_length(cx, name) != owner + 1) return false;
  char stem[64];
  size_t length = strcspn(name + owner + 1, "_[");
  if (length >= sizeof stem) return false;
  memcpy(stem, name + owner + 1, length);
  stem[length] = '\0';
  return !is_name_known(cx, stem, name, owner);
}

// crank.theta is the theta of crank, A.F_x the F of A in the direction x.
static bool put_owner_behind(const Context *cx, const char *name, NameParts *parts) {
  if (!parts->component_length) return false;
  if (part_prefix_length(cx, name)) {
    parts->component = strrchr(name, '.') + 1;
    parts->component_length = strlen(parts->component);
  }
  if (put_letter(cx, name, parts)) return true;
  const char *component = parts->component;
  size_t owner = (size_t)(component - 1 - name), stem = strcspn(component, "_");
  if (!is_one_symbol(component, stem)) return false;
  if (!is_mechanical(cx, name, owner) && !is_family(cx, name, owner) &&
      !is_of_part(cx, name, owner))
    return false;
  *parts = (NameParts){.stem = component,
                       .stem_length = stem,
                       .subscript = name,
                       .subscript_length = owner,
                       .component = component + stem + (component[stem] == '_'),
                       .is_owned = true};
  parts->component_length = strlen(parts->component);
  return true;
}

NameParts name_parts(const Context *cx, const char *name) {
  // the momentum of rod.theta
  if (strncmp(name, "p_", 2) == 0 && strchr(name, '.') &&
      is_part(cx, name + 2, strcspn(name + 2, ".")))
    return (NameParts){.stem = name,
                       .stem_length = 1,
                       .subscript = name + 2,
                       .subscript_length = strlen(name + 2),
                       .component = ""};
  NameParts parts = name_split(name), owned = parts;
  if (put_owner_behind(cx, name, &owned)) return owned;
  if (!parts.subscript_length) digits_as_subscript(&parts);
  return parts;
}

// ---- Our own names

// Is it a parameter, coordinate, input or definition of the model?
static bool is_taken(const Context *cx, const char *name, size_t length) {
  Symbol symbol = intern_find(&cx->names, name, length);
  const ReadingOrder *names = cx->exprs ? &cx->exprs->reading : NULL;
  return symbol && names && symbol < names->n && names->term[symbol];
}

// Does the model have one of that stem with a subscript? phi_M beside our phi_q.
static bool is_stem_taken(const Context *cx, const char *stem, size_t length) {
  const ReadingOrder *names = cx->exprs ? &cx->exprs->reading : NULL;
  for (Symbol symbol = 1; names && symbol < names->n; symbol++) {
    const char *name = symbol_text(cx, symbol);
    bool may_be = names->term[symbol] && (strncmp(name, stem, length) == 0 || strchr(name, '.'));
    if (!may_be) continue;
    NameParts parts = name_parts(cx, name);
    if (parts.stem_length == length && memcmp(parts.stem, stem, length) == 0) return true;
  }
  return false;
}

// What stands for them, the second where the first is taken too.
static const struct OwnName {
  const char *name, *others[2], *plain[2];
  bool keeps_stem; // nobody else may have its stem, not even with a subscript
} own_names[] = {{"L", {"ℒ"}, {"Lbar"}, false},
                 {"M", {"ℳ"}, {"Mbar"}, false},
                 {"T", {"𝒯"}, {"Tbar"}, false},
                 {"V", {"𝒱"}, {"Vbar"}, false},
                 {"R", {"ℛ"}, {"Rbar"}, false},
                 {"Q", {"𝒬"}, {"Qbar"}, false},
                 {"G", {"𝒢"}, {"Gbar"}, false},
                 {"D", {"𝒟"}, {"Dbar"}, false},
                 {"C", {"𝒞"}, {"Cbar"}, false},
                 {"K", {"𝒦"}, {"Kbar"}, false},
                 {"E", {"ℰ"}, {"Ebar"}, false},
                 {"h", {"ĥ"}, {"hbar"}, false},
                 {"phi", {"eta", "chi"}, {"eta", "chi"}, true},
                 {"Phi", {"Psi", "Xi"}, {"Psi", "Xi"}, true},
                 {"gamma", {"Gamma", "kappa"}, {"Gamma", "kappa"}, true},
                 {"lambda", {"Lambda"}, {"Lambda"}, false},
                 {"omega", {"Omega", "nu"}, {"Omega", "nu"}, true},
                 {"e", {"epsilon", "chi"}, {"epsilon", "chi"}, false},
                 {"f", {"b"}, {"b"}, false},
                 {"v", {"w", "nu"}, {"w", "nu"}, false},
                 {"z", {"zeta", "rho"}, {"zeta", "rho"}, false},
                 {"q", {"xi", "psi"}, {"xi", "psi"}, false},
                 {"s", {"sigma", "psi"}, {"sigma", "psi"}, false}};

static bool is_ours_taken(const Context *cx, const char *name, size_t stem, bool keeps_stem) {
  return is_taken(cx, name, strcspn(name, "'")) || is_taken(cx, name, stem) ||
         (keeps_stem && is_stem_taken(cx, name, stem));
}

const char *own_name(Context *cx, const char *name, bool ascii) {
  size_t length = strcspn(name, "_'");
  if (strncmp(name, "lambda_", 7) == 0) return name; // of a row: a name of the model
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++) {
    const struct OwnName *own = &own_names[i];
    if (strlen(own->name) != length || memcmp(own->name, name, length) != 0) continue;
    if (!is_ours_taken(cx, name, length, own->keeps_stem)) return name;
    const char *const *others = ascii ? own->plain : own->others;
    bool second = others[1] && is_ours_taken(cx, others[0], strlen(others[0]), own->keeps_stem);
    return text_format(&cx->scratch, "%s%s", others[second], name + length);
  }
  return name;
}

size_t subscript_word(const char **at, size_t *left, const char **word) {
  while (*left && strchr("_[],. ", **at)) ++*at, --*left;
  size_t length = 0;
  while (length < *left && !strchr("_[],. ", (*at)[length])) length++;
  *word = *at;
  *at += length;
  *left -= length;
  return length;
}

Status notation_add(Context *cx, Notation *notation, const char *text) {
  const char *equals = strchr(text, '=');
  size_t name = equals ? (size_t)(equals - text) : 0;
  while (name && text[name - 1] == ' ') name--;
  const char *latex = equals ? equals + 1 + strspn(equals + 1, " ") : "";
  size_t length = strcspn(latex, "\r\n");
  if (!name || !length) {
    Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is not a notation", text);
    diag_note(cx, "write NAME=LATEX, for example theta_1=\\varphi");
    return status;
  }
  NotationEntry entry = {arena_copy(&cx->keep, text, name), arena_copy(&cx->keep, latex, length)};
  vec_push(&cx->keep, notation, entry);
  return QDOT_OK;
}

Status notation_read(Context *cx, Notation *notation, const char *text) {
  Status status = QDOT_OK;
  while (*text && status == QDOT_OK) {
    text += strspn(text, " \t\r\n");
    size_t length = strcspn(text, "\n");
    if (*text && *text != '#')
      status = notation_add(cx, notation, arena_copy(&cx->keep, text, length));
    text += length;
  }
  return status;
}

const char *notation_find(const Notation *notation, const char *name) {
  for (uint32_t i = 0; notation && i < notation->n; i++)
    if (strcmp(notation->at[i].name, name) == 0) return notation->at[i].latex;
  return NULL;
}
