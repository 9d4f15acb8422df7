// ---- Formulas on the page: what is pointed at lights up, what is too wide is fitted, steps are folded

// Is x[3] what x[i] stands for?
function is_one_of(name, general) {
  return /\[[^\d\]]\]/.test(general) && name.replace(/\[\d+\]/, "[]") === general.replace(/\[[^\]]*\]/, "[]");
}

function follow_symbols(store) {
  const point = event => {
    const at = event.target.closest?.("[data-s]");
    const lit = at ? at.getAttribute("data-s") : null;
    if (store.get().lit !== lit) store.set({lit});
  };
  document.addEventListener("pointerover", point);
  document.addEventListener("focusin", point);
  store.follow((state, before) => {
    if (state.lit === before.lit) return;
    for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
    if (!state.lit) return;
    for (const one of document.querySelectorAll(`[data-s="${CSS.escape(state.lit)}"]`)) one.classList.add("lit");
    // a row of a table stands for all numbers of an index
    if (/\[\d+\]/.test(state.lit))
      for (const one of document.querySelectorAll("td [data-s*='[']"))
        if (is_one_of(state.lit, one.getAttribute("data-s"))) one.classList.add("lit");
  });
}

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
  const table = box.querySelector("mtable"), name = box.querySelector("[data-s], mi");
  if (!table || !name || box.querySelectorAll("mtable").length > 1 || table.contains(name)) return null;
  const rows = [...table.children].map(row => [...row.children]), is_vector = rows.every(row => row.length === 1);
  const lines = [];
  rows.forEach((row, i) => row.forEach((cell, k) => {
    if (cell.textContent.trim() === "0") return;
    const place = is_vector ? `${i + 1}` : `${i + 1}${k + 1}`;
    lines.push(`<div><math displaystyle="true"><msub><mrow>${name.outerHTML}</mrow><mn>${place}</mn></msub>` +
               `<mo>=</mo>${cell.innerHTML}</math></div>`);
  }));
  return element("div", {class: "entries", html: lines.join("")});
}

// Formulas that are wider than their column become smaller, and matrices that would be too small
// are listed by their entries.
function fit_formulas() {
  for (const box of document.querySelectorAll(".formula")) {
    box.classList.remove("listed");
    box.querySelector(".entries")?.remove();
    if (!box.clientWidth || shrink(box, 0.6)) continue;
    const entries = list_entries(box);
    if (entries) {
      box.classList.add("listed");
      box.append(entries);
    }
    shrink(box, 0.35);
  }
}

// Steps are written open, for paper and for those without scripts; here they begin folded.
function fold_steps() {
  const steps = [...document.querySelectorAll("details.step")];
  if (!steps.length) return;
  for (const step of steps) {
    step.open = false;
    step.addEventListener("toggle", () => step.open && fit_formulas());
  }
  const open_target = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target?.scrollIntoView();
  };
  window.addEventListener("hashchange", open_target);
  if (location.hash) open_target();
  const all = element("button", {type: "button", class: "openall", onclick: () => {
    const open = steps.some(step => !step.open);
    for (const step of steps) step.open = open;
    all.textContent = open ? data.words.CLOSE : data.words.OPEN;
  }}, data.words.OPEN);
  steps[0].before(all);
  window.addEventListener("beforeprint", () => { for (const step of steps) step.open = true; });
}
