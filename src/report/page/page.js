// ---- The page

const page_figures = {frames: 0, first_picture: null};
const stored_run = Run.from_text(data.motion);
stored_run.own_factor = data.magnify.factor;

// The scripts stand before the chapters.
function when_read(act) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", act);
  else act();
}

function open_page() {
  const still = document.getElementById("live");
  if (!still || stored_run.count < 2) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const store = make_store({run: stored_run, ghost: null, t: data.begin, playing: false,
    speed: usual_speed(data.end - data.begin), window: [data.begin, data.end], hidden: new Set(),
    changed: [], compares: true, is_whole: true, set: null, lit: null, looked_at: null, show: {velocities: false, forces: false, symbols: true, magnified: true},
    forces: make_forces(() => store)});
  const stage = make_stage(store, () => is_pinned() ? {width: stage.canvas.clientWidth, height: stage.canvas.clientHeight} : null);
  const picture = still.querySelector("svg, img");
  const left = element("div", {class: "left"}, stage.canvas), stand = element("div", {class: "stand"}, left);
  const live = element("div", {class: "live"}, stand);
  if (picture) picture.replaceWith(live);
  else still.prepend(live);
  still.classList.add("alive");
  store.follow((state, before) => {
    const same = ["run", "ghost", "t", "show", "lit", "looked_from"].every(key => state[key] === before[key]);
    if (!same) stage.draw(state);
  });
  page_figures.first_picture = performance.now();
  const caption = still.closest("figure").querySelector("figcaption .words");
  if (caption) caption.textContent = data.caption;
  const player = make_player(store);
  if (data.forces) (player.querySelector(".velocities") ?? player.querySelector("select")).after(make_force_toggle(store));
  left.append(player);
  live.append(make_curves(store));
  still.closest("figure").after(make_knobs(store));
  run_clock(store);
  pin_stage(left, stand);
  const paper = print_pose(stage, store);
  follow_symbols(store);
  colour_symbols();
  when_read(() => {
    follow_values(store);
    fold_steps();
    fit_formulas();
    new ResizeObserver(fit_formulas).observe(document.body);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== " " || event.target.closest("input, button, select, textarea, summary, a")) return;
    event.preventDefault();
    store.set({playing: !store.get().playing});
  });
  window.qdot = {engine, data, store, Run, stored_run, force_arrows, figures: page_figures, paper};
  if (!quiet) store.set({playing: true});
}

open_page();
