// The derivation as a tree: chapters, steps in them, and blocks, the paragraphs, formulas and tables.

const OPENS = /^<(?:p|div|ul|ol|pre|figure|table)\b/;
const TAGS = /<(\/?)(?:p|div|ul|ol|pre|figure|table)\b/g;

// A block ends where all that it opened is closed.
function depth_after(line, depth) {
  for (const [, slash] of line.matchAll(TAGS)) depth += slash ? -1 : 1;
  return depth;
}

// Lists of {html} and of {kind: "chapter" or "step", head, parts}; the writer of derivations begins each on a line of its own.
export function parts_of(html) {
  const root = [], open = [root];
  let depth = 0;
  const begin = (kind, head) => {
    const section = {kind, head, parts: []};
    open.at(-1).push(section);
    open.push(section.parts);
  };
  for (const line of html.split("\n")) {
    const step = depth === 0 && line.match(/^<details[^>]*><summary>(.*)<\/summary>$/);
    if (step) begin("step", step[1]);
    else if (depth === 0 && line.startsWith("<h2")) open.length = 1, begin("chapter", line);
    else if (depth === 0 && line === "</details>") open.pop();
    else {
      const last = open.at(-1).at(-1);
      if (depth === 0 && (OPENS.test(line) || !last || last.kind)) open.at(-1).push({html: line});
      else last.html += "\n" + line;
      depth = depth_after(line, depth);
    }
  }
  return root;
}
