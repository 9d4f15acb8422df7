# Reads layers.txt, then the sources; prints each include that breaks the table.

function complain(text) {
  printf "%s:%d: %s\n", FILENAME, FNR, text
  bad++
}

# May files of folder a include headers of folder b?
function sees(a, b,    i, n, below) {
  if (a == b) return 1
  n = split(may[a], below, " ")
  for (i = 1; i <= n; i++) if (sees(below[i], b)) return 1
  return 0
}

function library_of(header,    name, i, n, patterns) {
  for (name in headers) {
    n = split(headers[name], patterns, " ")
    for (i = 1; i <= n; i++) {
      if (header == patterns[i]) return name
      if (patterns[i] ~ /\/$/ && index(header, patterns[i]) == 1) return name
    }
  }
  return ""
}

function check_foreign(header,    name) {
  if (header in standard) return
  name = library_of(header)
  if (name == "") {
    complain("<" header "> is neither standard nor in tools/layers.txt")
  } else if (!((layer, name) in user_of)) {
    user_of[layer, name] = FILENAME
  } else if (user_of[layer, name] != FILENAME) {
    complain(name " is already included from " user_of[layer, name])
  }
}

# The path without its last part.
function folder_of(path) {
  return match(path, /\/[^\/]*$/) ? substr(path, 1, RSTART - 1) : ""
}

function check_own(header, folder,    theirs) {
  theirs = folder_of(header)
  if (theirs == "") {
    if (header !~ /\.def$/ && layer != "app") complain("\"" header "\" needs its folder")
  } else if (theirs == "qdot") {
    if (layer == "app" && header != "qdot/qdot.h") complain("the command includes qdot/qdot.h only")
    if (layer == "src" && folder !~ /^api(\/|$)/ && FILENAME ~ /\.h$/ && header == "qdot/qdot.h")
      complain("a word in the public header would compile everything anew")
  } else if (layer == "app" || layer == "include") {
    complain("\"" header "\" is not public")
  } else if (!(theirs in may)) {
    complain("unknown folder '" theirs "'")
  } else if (!sees(folder, theirs)) {
    complain("'" folder "' may not include \"" header "\"")
  }
}

FILENAME ~ /layers\.txt$/ {
  sub(/#.*/, "")
  if ($1 == "standard") for (i = 2; i <= NF; i++) standard[$i] = 1
  else if ($1 == "circle") {
    circles["src/" $2 " src/" $3 " src/" $2] = circles["src/" $3 " src/" $2 " src/" $3] = 1
  }
  else if ($1 == "foreign") { name = $2; $1 = $2 = ""; headers[name] = $0 }
  else if (sub(/:/, "", $1)) { name = $1; $1 = ""; may[name] = $0 }
  next
}

FNR == 1 {
  split(FILENAME, path, "/")
  layer = path[1]
  folder = substr(folder_of(FILENAME), length(layer) + 2)
  if (layer == "src" && !(folder in may)) complain("folder '" folder "' is not in tools/layers.txt")
  if ($0 !~ /^\/\/ ./) complain("the first line must say what the file is for")
  base = FILENAME
  sub(/.*\//, "", base)
  if (base in seen) complain("shares its name with " seen[base])
  seen[base] = FILENAME
  exists[FILENAME] = 1
}

# A header names its sources where they are not called like it.
FILENAME ~ /^src.*\.h$/ && /^\/\/ Sources: / { listing = 1; sub(/Sources:/, "") }
listing && !/^\/\/ / { listing = 0 }
listing {
  n = split($0, part, /[ ,]+/)
  for (i = 2; i <= n; i++) if (part[i] != "") served[folder_of(FILENAME) "/" part[i]] = FILENAME
}

# A table of records names the sources of its folder that hold one.
FILENAME ~ /^src.*\.def$/ && /^[A-Z]+\(/ {
  n = split($0, part, /[^a-z0-9_]+/)
  for (i = 1; i <= n; i++) if (part[i] != "") recorded[folder_of(FILENAME) "/" part[i] ".c"] = 1
}

FILENAME ~ /\.h$/ && /^typedef (struct|enum|union) [A-Za-z0-9_]+ \{/ {
  if ($3 in type_in) complain("type '" $3 "' is already another thing in " type_in[$3])
  type_in[$3] = FILENAME
}

/^[ \t]*#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_foreign(part[2]) }
/^[ \t]*#[ \t]*include[ \t]*"/ {
  split($0, part, /"/)
  check_own(part[2], folder)
  if (layer == "src") uses[unit_of(FILENAME)] = uses[unit_of(FILENAME)] " " unit_of("src/" part[2])
}

# A header with its source, or one of them alone: the path without its ending.
function unit_of(path) {
  sub(/\.[a-z]+$/, "", path)
  return path
}

# Every source has a header of its name, or stands in the list of one or in a table of records; those
# of api have qdot.h, those of without the header of what they stand for.
function check_headers(    file, header) {
  for (file in exists) {
    if (file !~ /^src\/.*\.c$/ || file ~ /^src\/(alone|api|load|without)\//) continue
    header = unit_of(file) ".h"
    if ((header in exists) || (file in served) || (file in recorded)) continue
    printf "%s:1: has no header: give it one, or name it after '// Sources:' in the one it serves\n", file
    bad++
  }
  for (file in served) if (!(file in exists)) {
    printf "%s:1: lists %s, which does not exist\n", served[file], file
    bad++
  }
}

# Follows the includes of units; one that comes back to where it began is told once.
function visit(unit, trail,    i, n, next_ones) {
  if (state[unit] == "done") return
  if (state[unit] == "open") {
    sub(".* " unit " ", unit " ", trail)
    if ((trail unit) in circles) return
    printf "a circle of files: %s%s\n", trail, unit
    bad++
    return
  }
  state[unit] = "open"
  n = split(uses[unit], next_ones, " ")
  for (i = 1; i <= n; i++) if (next_ones[i] != unit) visit(next_ones[i], trail unit " ")
  state[unit] = "done"
}

function check_circles(    unit) {
  for (unit in uses) visit(unit, " ")
}

END {
  check_headers()
  check_circles()
  if (bad) exit 1
}
