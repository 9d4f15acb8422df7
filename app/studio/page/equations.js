// The derivation by chapters, each of which can be folded, with steps that are unfolded on demand.
import {text} from "./wire.js";

// A heading of a chapter and what follows it become one element that can be folded.
function fold_chapters(box) {
  for (const head of [...box.querySelectorAll(":scope > h2")]) {
    const chapter = document.createElement("details"), summary = document.createElement("summary");
    chapter.className = "chapter";
    head.before(chapter);
    summary.append(head);
    chapter.append(summary);
    while (chapter.nextSibling && chapter.nextSibling.tagName !== "H2") chapter.append(chapter.nextSibling);
  }
}

const heading = one => one.querySelector("summary")?.textContent;

// What is open stays open from text to text. At first chapters are, but not the list of what the
// text beside it says, and steps are not.
export function make_equations(box, about) {
  const open = new Map();
  let last = [];
  const is_open = (one, i) => open.get(heading(one)) ?? (one.className === "chapter" && i > 0);
  box.addEventListener("toggle", event => open.set(heading(event.target), event.target.open), true);

  const make = (html, i) => {
    const fresh = document.createElement("div");
    fresh.innerHTML = html;
    fold_chapters(fresh);
    [...fresh.querySelectorAll("details")].forEach(one => { one.open = is_open(one, i); });
    return [...fresh.childNodes];
  };

  return {
    // A chapter that says the same as before stays what it is.
    show(message) {
      const parts = text(message.sections.html).split(/(?=<h2\b)/);
      const words = `derived in ${(1000 * message.seconds).toPrecision(2)} ms`;
      if (about.textContent !== words) about.textContent = words;
      const kept = new Map(last.map(part => [part.html, part]));
      const now = parts.map((html, i) => {
        const same = kept.get(html);
        kept.delete(html);
        return same ?? {html, nodes: make(html, i)};
      });
      const nodes = now.flatMap(part => part.nodes);
      for (const part of last) if (!now.includes(part)) for (const node of part.nodes) node.remove();
      nodes.forEach((node, i) => {
        if (box.childNodes[i] !== node) box.insertBefore(node, box.childNodes[i] ?? null);
      });
      last = now;
    },
  };
}
