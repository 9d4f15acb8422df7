// ---- Formulas on the page: what is pointed at lights up, steps are folded

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
