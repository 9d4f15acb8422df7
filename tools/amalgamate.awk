# Puts C files and the headers that they include together as one file. Names that several files keep
# for themselves (static functions and objects, types, constants, macros) are told apart by a number
# behind them; a file's macros end with it. Headers of the C library are collected in front.
#
#   awk -v roots="src include" -v libc=src/alone/libc.h -f tools/amalgamate.awk FILE.c ...

function fail(text) {
  print "amalgamate: " text > "/dev/stderr"
  exit_status = 1
  exit 1
}

function load(path,    line, n) {
  if (path in line_count) return
  n = 0
  while ((getline line < path) > 0) lines[path, ++n] = line
  close(path)
  line_count[path] = n
}

function exists(path,    line, got) {
  if (path in known_path) return known_path[path]
  got = (getline line < path)
  close(path)
  return known_path[path] = got >= 0
}

function resolve(name,    i, n, parts) {
  n = split(roots, parts, " ")
  for (i = 1; i <= n; i++)
    if (exists(parts[i] "/" name)) return parts[i] "/" name
  fail("no file " name)
}

# ---- Names that a file keeps for itself

function own(path, name) {
  if (name ~ /^(struct|union|enum|const|volatile|unsigned|int|double|char|bool)?$/ || (path, name) in is_own) return
  is_own[path, name] = 1
  own_count[path]++
  own_name[path, own_count[path]] = name
  owners[name]++
}

function before_bracket(text) {
  sub(/\(.*/, "", text)
  sub(/[ \t]+$/, "", text)
  sub(/.*[^A-Za-z_0-9]/, "", text)
  return text
}

# static const double A = 1, B[] = {..}; the names in front of '=', ',', ';' and '['.
function own_objects(path, text,    depth, i, c, word, last) {
  sub(/^static[ \t]+/, "", text)
  depth = 0; word = ""; last = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c == "{" || c == "(" || c == "[") {
      if (depth == 0 && word != "") last = word
      if (depth == 0 && last != "") own(path, last)
      depth++; word = ""
    } else if (c == "}" || c == ")" || c == "]") {
      depth--
    } else if (depth == 0 && c ~ /[A-Za-z_0-9]/) {
      word = word c
    } else if (depth == 0 && (c == "=" || c == "," || c == ";")) {
      if (word != "") last = word
      if (last != "") own(path, last)
      word = ""; last = ""
      if (c == "=") { # skip the value
        while (i < length(text)) {
          c = substr(text, i + 1, 1)
          if (c == "{" || c == "(") depth++
          if (c == "}" || c == ")") depth--
          if (depth == 0 && (c == "," || c == ";")) break
          i++
        }
        depth = 0
      }
    } else if (depth == 0) {
      if (word != "") last = word
      word = ""
    }
  }
}

function own_constants(path, text,    n, parts, i) {
  sub(/^[^{]*\{/, "", text)
  sub(/\}.*/, "", text)
  n = split(text, parts, ",")
  for (i = 1; i <= n; i++) {
    sub(/=.*/, "", parts[i])
    gsub(/[ \t]/, "", parts[i])
    if (parts[i] ~ /^[A-Za-z_][A-Za-z_0-9]*$/) own(path, parts[i])
  }
}

function without_comment(text) {
  sub(/\/\/.*/, "", text)
  gsub(/__attribute__\(\([a-z_]+(\([^)]*\))?\)\)/, "", text)
  return text
}

function collect(path,    i, text, name, joined) {
  load(path)
  for (i = 1; i <= line_count[path]; i++) {
    text = without_comment(lines[path, i])
    if (text ~ /^static/) {
      joined = text
      while (joined !~ /[;{]/ && i < line_count[path]) joined = joined " " without_comment(lines[path, ++i])
      if (joined ~ /^static[^=]*\(/ && joined !~ /^static[^(=]*=/ && joined !~ /\(\*/)
        own(path, before_bracket(joined))
      else if (joined ~ /\(\*const [a-z_]*\[\]\)|\(\*[a-z_]+\)/) {
        name = joined
        sub(/.*\(\*(const )?/, "", name)
        sub(/[^A-Za-z_0-9].*/, "", name)
        own(path, name)
      } else {
        while (joined !~ /;/ && i < line_count[path]) joined = joined " " without_comment(lines[path, ++i])
        own_objects(path, joined)
      }
    } else if (text ~ /^typedef (struct|union|enum) [A-Za-z_0-9]+ \{/ || text ~ /^(struct|union) [A-Za-z_0-9]+ \{/) {
      name = text
      sub(/^(typedef )?(struct|union|enum) /, "", name)
      sub(/ .*/, "", name)
      if (text ~ /^typedef/) own(path, name)
      else if (!(name in in_headers)) own(path, name)
      if (text ~ /^typedef enum/) {
        joined = text
        while (joined !~ /\}/ && i < line_count[path]) joined = joined " " without_comment(lines[path, ++i])
        own_constants(path, joined)
      }
    } else if (text ~ /^enum/) {
      joined = text
      while (joined !~ /\}/ && i < line_count[path]) joined = joined " " without_comment(lines[path, ++i])
      own_constants(path, joined)
    } else if (text ~ /^typedef /) {
      joined = text
      while (joined !~ /;/ && i < line_count[path]) joined = joined " " without_comment(lines[path, ++i])
      if (joined ~ /\(\*?[A-Za-z_]+\)/) {
        name = joined
        sub(/^[^(]*\(\*?/, "", name); sub(/\).*/, "", name)
      } else {
        name = joined
        sub(/;.*/, "", name); sub(/.*[^A-Za-z_0-9]/, "", name)
      }
      if (name !~ /^VEC/) own(path, name)
    } else if (text ~ /^\} [A-Za-z_0-9]+;/) {
      name = text
      sub(/^\} /, "", name); sub(/;.*/, "", name)
      own(path, name)
    } else if (text ~ /^[A-Za-z_][A-Za-z_0-9 *]*[ *][a-z_0-9]+\(/ && text !~ /;[ \t]*$/) {
      global[before_bracket(text)] = 1
    }
  }
}

# Names that headers give: types, constants and functions.
function collect_header(first,    k, text, name, joined) {
  for (k = first; k <= body_lines; k++) {
    text = without_comment(body[k])
    if (text ~ /^typedef (struct|union|enum) [A-Za-z_0-9]+/ || text ~ /^(struct|union) [A-Za-z_0-9]+;/) {
      name = text
      sub(/^(typedef )?(struct|union|enum) /, "", name)
      sub(/[^A-Za-z_0-9].*/, "", name)
      in_headers[name] = 1
    }
    if (text ~ /^\} [A-Za-z_0-9]+;/) {
      name = text
      sub(/^\} /, "", name); sub(/;.*/, "", name)
      in_headers[name] = 1
    }
    if (text ~ /(^|[ \t])enum ([A-Za-z_0-9]+ )?\{/) {
      joined = text
      while (joined !~ /\}/ && k < body_lines) joined = joined " " without_comment(body[++k])
      sub(/^[^{]*\{/, "", joined); sub(/\}.*/, "", joined)
      while (match(joined, /[A-Za-z_][A-Za-z_0-9]*/)) {
        in_headers[substr(joined, RSTART, RLENGTH)] = 1
        joined = substr(joined, RSTART + RLENGTH)
      }
    }
    if (text ~ /^[A-Za-z_][A-Za-z_0-9 *]*[ *][a-z_0-9]+\(/) in_headers[before_bracket(text)] = 1
    if (text ~ /^# *define [A-Za-z_]/) {
      name = text
      sub(/^# *define /, "", name); sub(/[^A-Za-z_0-9].*/, "", name)
      in_headers[name] = 1
    }
  }
}

# ---- Writing

function renamed(path, text,    out, token, before, in_text, c) {
  out = ""; in_text = 0
  while (text != "") {
    c = substr(text, 1, 1)
    if (in_text) {
      if (c == "\\") { out = out substr(text, 1, 2); text = substr(text, 3); continue }
      if (c == "\"") in_text = 0
      out = out c; text = substr(text, 2); continue
    }
    if (substr(text, 1, 2) == "//") return out text
    if (c == "\"") { in_text = 1; out = out c; text = substr(text, 2); continue }
    if (c ~ /[A-Za-z_]/) {
      match(text, /^[A-Za-z_][A-Za-z_0-9]*/)
      token = substr(text, 1, RLENGTH)
      text = substr(text, RLENGTH + 1)
      before = substr(out, length(out), 1)
      if ((path, token) in is_own && (owners[token] > 1 || token in global || token in in_headers) && before != "." && !(before == ">" && substr(out, length(out) - 1, 1) == "-"))
        token = token "_" number[path]
      out = out token
      continue
    }
    if (c ~ /[0-9]/) {
      match(text, /^[0-9][A-Za-z_0-9.]*/)
      out = out substr(text, 1, RLENGTH)
      text = substr(text, RLENGTH + 1)
      continue
    }
    out = out c
    text = substr(text, 2)
  }
  return out
}

function is_guarded(path,    i) {
  for (i = 1; i <= line_count[path] && i < 40; i++) {
    if (lines[path, i] ~ /^#ifndef QDOT_/) return 1
    if (lines[path, i] ~ /^#include/) return 0
  }
  return 0
}

function emit(path, top,    i, text, name) {
  load(path)
  if (path ~ /\.h$/ && is_guarded(path)) {
    if (path in emitted) return
    emitted[path] = 1
  }
  for (i = 1; i <= line_count[path]; i++) {
    text = lines[path, i]
    if (text ~ /^#include "/) {
      name = text
      sub(/^#include "/, "", name)
      sub(/".*/, "", name)
      emit(resolve(name), top)
    } else if (text ~ /^#include </) {
      name = text
      sub(/^#include </, "", name)
      sub(/>.*/, "", name)
      system_header[name] = 1
    } else if (text ~ /^ *\/\//) {
      continue
    } else {
      body[++body_lines] = top ~ /\.c$/ ? renamed(top, text) : text
    }
  }
}

function headers_of(path,    i, name) {
  load(path)
  for (i = 1; i <= line_count[path]; i++)
    if (lines[path, i] ~ /^#include "/ && lines[path, i] ~ /\.h"/) {
      name = lines[path, i]
      sub(/^#include "/, "", name)
      sub(/".*/, "", name)
      name = resolve(name)
      load(name)
      if (is_guarded(name)) emit(name, name)
    }
}

function emit_body(path,    i, text, name) {
  body[++body_lines] = "/* ---- " path " */"
  emit(path, path)
  for (i = 1; i <= line_count[path]; i++)
    if (lines[path, i] ~ /^# *define [A-Za-z_]/) {
      name = lines[path, i]
      sub(/^# *define /, "", name)
      sub(/[^A-Za-z_0-9].*/, "", name)
      text = renamed(path, name)
      body[++body_lines] = "#undef " text
    }
}

BEGIN {
  for (k = 1; k < ARGC; k++) headers_of(ARGV[k])
  collect_header(1)
  for (k = 1; k < ARGC; k++) {
    collect(ARGV[k])
    number[ARGV[k]] = k
  }
  for (k = 1; k < ARGC; k++) emit_body(ARGV[k])
  load(libc)
  for (k = 1; k <= line_count[libc]; k++) print lines[libc, k]
  for (k = 1; k <= body_lines; k++) print body[k]
  if (exit_status) exit exit_status
}
