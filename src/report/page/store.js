// ---- State: one record that is never changed, only replaced; views follow it

// Views are functions (state, before); they run together in the next frame.
function make_store(state) {
  const views = new Set();
  let before = state, scheduled = false;
  const show = () => {
    if (!scheduled) return;
    scheduled = false;
    const from = before;
    before = state;
    for (const view of views) view(state, from);
  };
  return {
    get: () => state,
    set(patch) {
      state = Object.freeze({...state, ...patch});
      if (!scheduled) requestAnimationFrame(show);
      scheduled = true;
    },
    // What was set is shown at once, not with the next frame.
    flush: show,
    follow(view) {
      views.add(view);
      view(state, {});
    },
  };
}

// An element: element("button", {type: "button", class: "play"}, "text", child ...)
function element(tag, attributes = {}, ...children) {
  const space = SVG_TAGS.has(tag) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "html") node.innerHTML = value;
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
const SVG_TAGS = new Set(["svg", "path", "line", "rect", "text", "g", "circle"]);

// The children of a node become these, without touching it where they are these already.
function replace_where_new(node, children) {
  const now = node.childNodes;
  if (now.length !== children.length || children.some((child, i) => now[i] !== child)) node.replaceChildren(...children);
}

function math(markup) { return `<math>${markup}</math>`; }

// Four digits, as people write them in the page's language.
function number_text(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(digits - 1)
                                                         : String(Number(value.toPrecision(digits)));
  text = text.replace(/(\.\d*?)0+e/, "$1e").replace(".e", "e").replace("e+", "e");
  return text.replace(".", data.words.decimal).replace(/-/g, "−");
}

// m/s^2 as m/s², kg*m^2 as kg m².
function unit_text(unit) {
  const powers = {"-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴"};
  return unit.replace(/(?<!\p{L})u(?=\p{L})/gu, "µ")
    .replace(/\^\(?(-?[0-4])\)?/g, (_, p) => [...p].map(c => powers[c]).join("")).replace(/\*/g, " ");
}
