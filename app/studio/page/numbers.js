// The numbers of a text that can be moved: values of parameters, start values, properties of parts.

const NUMBER = /(?<![\w.\]])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
const MOVABLE = /^\s*(param|coord|state|input|memory|body|joint|spring|damper|motor|gear|belt|rack|bushing|rope|cylinder|contact|gravity|force|torque|let)\b/;

// A line without its comment and with its strings blanked, so that columns stay.
export function bare_line(line) {
  let out = "", quoted = false;
  for (const c of line) {
    if (c === '"') quoted = !quoted;
    if (c === "#" && !quoted) break;
    out += quoted && c !== '"' ? " ".repeat(c.length) : c;
  }
  return out;
}

// What a number is called: the name before '=' or '~', else the part and the word of the property.
function name_before(before, line) {
  const own = before.match(/([\p{L}_][\w\p{L}.]*'{0,2})\s*[=~]\s*$/u);
  const part = line.match(/^\s*(?:body|joint|spring|damper|motor|gear|belt|rack|bushing|rope|cylinder|contact)\s+([\p{L}_][\w\p{L}[\]]*)\s*:/u);
  if (part) {
    // the two numbers of a place
    const open = before.lastIndexOf("("), inner = open < 0 ? null : before.slice(open + 1);
    if (inner !== null && !inner.includes(")") && !/\bplate\s*$/.test(before.slice(0, open))) {
      const owner = before.slice(part[0].length, open).match(/([\p{L}_]\w*)\s*$/u)?.[1];
      return `${part[1]}${owner && !["at", "ground"].includes(owner) ? "." + owner : ""}.${inner.includes(",") ? "y" : "x"}`;
    }
    const words = before.slice(part[0].length).split(/[\s,()=~]+/).filter(w => /^[a-z_]+$/.test(w));
    return `${part[1]}.${words[words.length - 1] ?? "place"}`;
  }
  return own ? own[1] : line.trim().split(/[\s(=]/)[0];
}

// Every number that is a whole operand, with its unit: {from, to, text, value, unit, name, line}.
// Zeros without a unit are places of pins and stay.
export function find_numbers(text) {
  const found = [], seen = new Map();
  let start = 0;
  for (const whole of text.split("\n")) {
    const line = bare_line(whole);
    if (MOVABLE.test(line))
      for (const match of line.matchAll(NUMBER)) {
        const before = line.slice(0, match.index).trimEnd(), after = line.slice(match.index + match[0].length);
        const unit = after.match(/^\s*\[([^\]]*)\]/);
        const rest = unit ? after.slice(unit[0].length) : after;
        const begins = /[=~(,:]$/.test(before) || /[a-z]$/.test(before), ends = /^\s*($|,|\)|")/.test(rest);
        if (!begins || !ends || (Number(match[0]) === 0 && !unit)) continue;
        let name = name_before(before, line);
        const count = seen.get(name) ?? 0;
        seen.set(name, count + 1);
        if (count) name = `${name} (${count + 1})`;
        found.push({name, from: start + match.index, to: start + match.index + match[0].length, text: match[0],
                    value: Number(match[0]), unit: unit ? unit[1] : "", is_parameter: /^\s*param\b/.test(line), group: /^\s*(coord|state)\b/.test(line) || /\.angle/.test(name) ? "start" : /\.[xy]( \(\d+\))?$/.test(name) ? "places"
                      : /^\s*(param|motor|input|force|torque|gravity|let|memory)\b/.test(line) ? "parameters" : "parts",
                    digits: (match[0].split(/[eE]/)[0].split(".")[1] ?? "").length});
      }
    start += whole.length + 1;
  }
  return found;
}

// Four digits, without what nobody needs.
export function number_text(value, digits = 4) {
  if (value === 0) return "0";
  const text = value.toPrecision(digits);
  if (text.includes("e")) return String(Number(text)).replace("e+", "e");
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}
