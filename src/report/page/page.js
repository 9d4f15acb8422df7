// ---- The page

const page_figures = {frames: 0, first_picture: null};
const stored_run = Run.from_text(data.motion);

function open_page() {
  const still = document.getElementById("live");
  if (!still || stored_run.count < 2) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const store = make_store({run: stored_run, ghost: null, t: data.begin, playing: false,
    speed: usual_speed(data.end - data.begin), window: [data.begin, data.end], hidden: new Set(),
    lit: null, looked_at: null, show: {velocities: false, forces: false, symbols: true}});
  const stage = make_stage(store);
  const picture = still.querySelector("svg, img");
  const live = element("div", {class: "live"});
  const left = element("div", {class: "left"}, stage.canvas, make_player(store));
  if (picture) picture.replaceWith(left);
  else still.prepend(left);
  still.classList.add("alive");
  const caption = still.closest("figure").querySelector("figcaption .words");
  if (caption) caption.textContent = data.caption;
  left.replaceWith(live);
  live.append(left, make_curves(store));
  still.closest("figure").after(make_knobs(store));
  store.follow((state, before) => {
    const same = ["run", "ghost", "t", "show", "lit"].every(key => state[key] === before[key]);
    if (!same) stage.draw(state);
    page_figures.first_picture ??= performance.now();
  });
  run_clock(store);
  follow_symbols(store);
  fold_steps();
  fit_formulas();
  new ResizeObserver(fit_formulas).observe(document.body);
  document.addEventListener("keydown", event => {
    if (event.key !== " " || event.target.closest("input, button, select, textarea, summary, a")) return;
    event.preventDefault();
    store.set({playing: !store.get().playing});
  });
  window.qdot = {engine, data, store, Run, stored_run, figures: page_figures};
  if (!quiet) store.set({playing: true});
}

open_page();
