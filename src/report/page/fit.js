// ---- Formulas that are too wide for their column; pages and the gallery use this alone

// Smaller until it fits; false where it would have to be smaller than `least`.
function shrink(box, least) {
  for (let size = 1; size > least - 0.01; size -= 0.05) {
    box.style.fontSize = size < 1 ? `${size.toFixed(2)}em` : "";
    if (box.scrollWidth <= box.clientWidth) return true;
  }
  return false;
}

// A matrix entry by entry: M_12 = ... ; nothing where the formula is not of the kind M = [ ... ].
function list_entries(box) {
  const table = box.querySelector("mtable:not(.cases)"), name = box.querySelector("[data-s], mi");
  if (!table || !name || box.querySelectorAll("mtable:not(.cases)").length > 1 || table.contains(name)) return null;
  const rows = [...table.children].map(row => [...row.children]), is_vector = rows.every(row => row.length === 1);
  const lines = [];
  let left_out = false;
  rows.forEach((row, i) => row.forEach((cell, k) => {
    if (cell.textContent.trim() === "0") {
      left_out = true;
      return;
    }
    const place = is_vector ? `${i + 1}` : `${i + 1}${k + 1}`;
    lines.push(`<div><math displaystyle="true"><msub><mrow>${name.outerHTML}</mrow><mn>${place}</mn></msub>` +
               `<mo>=</mo>${cell.innerHTML}</math></div>`);
  }));
  if (left_out) lines.push(`<div>${document.body.dataset.zeros ?? "All other entries are zero."}</div>`);
  return Object.assign(document.createElement("div"), {className: "entries", innerHTML: lines.join("")});
}

const is_sign = node => node.localName === "mo" && /^[+\-\u2212]$/.test(node.textContent.trim());
const stands_behind = node => node.localName !== "mo" || /^[)\]|]$/.test(node.textContent.trim());

// Nodes in groups; a new one begins with each sign between two terms.
function split_at_signs(nodes) {
  const groups = [[]];
  nodes.forEach((node, i) => {
    if (i && is_sign(node) && stands_behind(nodes[i - 1])) groups.push([]);
    groups.at(-1).push(node);
  });
  return groups;
}

// (a + b)/c as 1/c (a + b).
function numerator_behind(fraction) {
  let [top, bottom] = fraction.children;
  while (top.children.length === 1 && top.firstElementChild.localName === "mrow") top = top.firstElementChild;
  if (split_at_signs([...top.children]).length < 2) return [fraction];
  const sign = text => Object.assign(document.createElementNS(fraction.namespaceURI, "mo"), {textContent: text});
  const one = document.createElementNS(fraction.namespaceURI, "mn"), front = fraction.cloneNode(false);
  one.textContent = "1";
  front.append(one, bottom);
  return [front, sign("("), ...top.children, sign(")")];
}

// One formula as several, between which a line may break: at the signs of the outermost sum, else of
// the sum in the outermost brackets or on a fraction. Nothing where it has none.
function loosen(math) {
  let nodes = [...math.children], groups = split_at_signs(nodes);
  for (let depth = 0; depth < 6 && groups.length < 2; depth++) {
    // arguments of functions last: sin(a + b) stays together where there is another place
    const of_function = (node, i) => i > 0 && nodes[i - 1].textContent === "\u2061";
    const opens = (node, i) => node.localName === "mrow" && (depth > 3 || !of_function(node, i));
    nodes = nodes.flatMap((node, i) => opens(node, i) ? [...node.children]
                                     : node.localName === "mfrac" ? numerator_behind(node) : [node]);
    groups = split_at_signs(nodes);
  }
  if (groups.length < 2) return null;
  return groups.map(group => {
    const part = math.cloneNode(false);
    part.append(...group);
    return part;
  });
}

// Breaks every formula that is wider than its line where it can be broken.
function break_lines(box) {
  const style = getComputedStyle(box);
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const wide = [...box.querySelectorAll("math")];
  while (wide.length) {
    const math = wide.pop(), parts = math.getBoundingClientRect().width > room ? loosen(math) : null;
    if (!parts) continue;
    math.replaceWith(...parts.flatMap((part, i) => i ? [document.createElement("wbr"), part] : [part]));
    wide.push(...parts);
  }
}

const SMALL = 0.75, SMALLEST = 0.6; // a reader still likes to read; can still read

// Formulas that are wider than their column become a little smaller; else matrices are listed by
// their entries, lines break at signs, and what then is too wide still is moved sideways.
function fit_formulas() {
  for (const box of document.querySelectorAll(".formula")) {
    if (box.as_written) box.innerHTML = box.as_written;
    box.classList.remove("listed", "sideways");
    if (!box.clientWidth || shrink(box, SMALL)) continue;
    box.as_written ??= box.innerHTML;
    const entries = list_entries(box);
    if (entries) {
      box.classList.add("listed");
      box.append(entries);
    }
    break_lines(box);
    box.classList.toggle("sideways", !shrink(box, SMALLEST));
  }
}
