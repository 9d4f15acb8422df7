// The derivation by chapters, each of which can be folded, with steps that are unfolded on demand.
// A change writes what is seen anew at once and the rest when the page is idle.
import {text} from "./wire.js";
import {parts_of} from "./story_parts.js";

const make = (tag, name) => Object.assign(document.createElement(tag), {className: name});

// How many of the first and of the last parts are the same in both lists.
function same_ends(old, now) {
  const key = part => part.head ?? part.html, most = Math.min(old.length, now.length);
  let first = 0, last = 0;
  while (first < most && key(old[first]) === key(now[first])) first++;
  while (last < most - first && key(old.at(-1 - last)) === key(now.at(-1 - last))) last++;
  return [first, last];
}

// about: where it says how long the derivation took.
export function make_equations(box, about) {
  const open = new Map(); // by heading: what is open stays open from text to text
  const due = new Set();  // blocks that do not show yet what they should
  let tree = [], html = "", number = 0, idle = 0;

  const heading = section => section.querySelector(":scope > summary").textContent;
  box.addEventListener("toggle", event => {
    open.set(heading(event.target), event.target.open);
    write_what_is_seen();
  }, true);

  // ---- What is written now, and later

  const write = part => {
    part.node.innerHTML = part.html;
    due.delete(part);
  };
  const is_seen = ({node}) => {
    const {top, bottom, width} = node.getBoundingClientRect(), margin = 100;
    return width > 0 && bottom > -margin && top < innerHeight + margin;
  };
  const write_what_is_seen = () => { for (const part of [...due].filter(is_seen)) write(part); };
  const write_when_idle = deadline => {
    idle = 0;
    for (const part of due) {
      if (deadline.timeRemaining() < 2 && !deadline.didTimeout) break;
      write(part);
    }
    if (due.size) idle = requestIdleCallback(write_when_idle, {timeout: 500});
  };
  box.parentElement.addEventListener("scroll", write_what_is_seen, {passive: true});
  addEventListener("scroll", write_what_is_seen, {passive: true});

  // ---- The tree

  // At first chapters are open, but not the list of what the text beside it says, and steps are not.
  const put_section = (part, is_first) => {
    const summary = document.createElement("summary");
    part.node = make("details", part.kind);
    summary.innerHTML = part.head;
    part.node.append(summary);
    part.node.open = open.get(summary.textContent) ?? (part.kind === "chapter" && !is_first);
  };
  // The old part's element now shows another text, if there is one.
  const put_block = (part, old) => {
    part.node = old && !old.kind ? old.node : make("div", "block");
    if (old) due.delete(old);
    due.add(part);
  };
  const forget = part => {
    due.delete(part);
    part.node.remove();
    part.parts?.forEach(forget);
  };

  // Elements of the parts of `now` behind `before`; equal parts at both ends stay what they are.
  const put = (parent, before, old, now) => {
    const [first, last] = same_ends(old, now), end = now.length - last;
    for (let i = end; i < old.length - last; i++) forget(old[i]);
    let behind = before;
    for (let i = 0; i < now.length; i++) {
      const part = now[i], same = i < first ? old[i] : i >= end ? old[i - now.length + old.length] : null;
      const other = same ?? (i < old.length - last ? old[i] : null);
      if (same && !part.kind) now[i] = same;
      else if (same) part.node = same.node, put(part.node, part.node.firstElementChild, same.parts, part.parts);
      else if (part.kind) put_section(part, i === 0), put(part.node, part.node.firstElementChild, [], part.parts);
      else put_block(part, other);
      if (other && other.node !== now[i].node) forget(other);
      const node = now[i].node, next = behind ? behind.nextSibling : parent.firstChild;
      if (node !== next) parent.insertBefore(node, next);
      behind = node;
    }
  };

  return {
    show(message) {
      html = text(message.sections.html), number = message.id;
      const now = parts_of(html), words = `derived in ${(1000 * message.seconds).toPrecision(2)} ms`;
      if (about.textContent !== words) about.textContent = words;
      put(box, null, tree, now);
      tree = now;
      write_what_is_seen();
      if (due.size && !idle) idle = requestIdleCallback(write_when_idle, {timeout: 500});
    },
    shown: () => number,
    html: () => html,
    is_whole: () => due.size === 0,
    // Lays out what is seen of it, as the next frame would.
    lay_out() { for (const one of box.querySelectorAll(".block")) if (is_seen({node: one})) one.firstElementChild?.getBoundingClientRect(); },
  };
}
