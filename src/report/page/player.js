// ---- The player: a clock, and the bar below the stage

// Real time where a reader would neither miss it nor fall asleep; else a round factor.
function usual_speed(duration) {
  if (duration >= 2 && duration <= 20) return 1;
  return nice_step(duration > 20 ? duration / 12 : duration / 6, 1);
}

function speed_text(speed) {
  if (speed === 1) return data.words.REAL;
  return speed < 1 ? data.words.SLOWER.replace("{0}", number_text(1 / speed)) : data.words.FASTER.replace("{0}", number_text(speed));
}

// What happened in a run: what it says itself, else what the page knows of the run as written.
function events_of(run) { return run.events ?? data.events; }

// Frames while it plays; at the end it begins again.
function run_clock(store) {
  let last = null;
  const tick = now => {
    const {playing, t, speed, run} = store.get();
    if (!playing) {
      last = null;
      return;
    }
    const passed = last === null ? 0 : Math.min((now - last) / 1000, 0.1);
    last = now;
    const next = t + passed * speed;
    store.set({t: next > run.end ? run.begin : next});
    page_figures.frames++;
    requestAnimationFrame(tick);
  };
  store.follow((state, before) => {
    if (state.playing && !before.playing) requestAnimationFrame(tick);
  });
}

function make_player(store) {
  const {words} = data, usual = usual_speed(data.end - data.begin);
  const play = element("button", {type: "button", class: "play", onclick: () => store.set({playing: !store.get().playing})});
  const scrub = element("input", {type: "range", class: "scrub", step: "any",
    "aria-label": words.TIME, oninput: () => store.set({t: Number(scrub.value), playing: false})});
  // arrow keys move by a hundredth, not by the browser's idea of a step
  scrub.addEventListener("keydown", event => {
    const way = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
    if (!way) return;
    event.preventDefault();
    move_time(store, way * (event.shiftKey ? 0.1 : 0.01));
  });
  const speeds = [...new Set([0.1, 0.25, 0.5, 1, 2, 4].map(f => Number((f * usual).toPrecision(3))))];
  const speed = element("select", {"aria-label": words.SPEED, onchange: () => store.set({speed: Number(speed.value)})},
    ...speeds.map(s => element("option", {value: s, selected: s === usual}, speed_text(s))));
  const time = element("output", {class: "time", "aria-live": "off"});
  const events = element("div", {class: "events"});
  const make_events = list => list.map(event => element("button", {type: "button", class: "event", tabindex: "-1",
    title: `${event.text}, t = ${number_text(event.t, 6)} s`, "aria-label": `${event.text}, t = ${number_text(event.t, 6)} s`,
    style: `left:${100 * (event.t - data.begin) / (data.end - data.begin)}%`,
    onclick: () => store.set({t: event.t, playing: false})}));
  const toggles = [["velocities", words.VELOCITIES], ["symbols", words.SYMBOLS], ["magnified", words.MAGNIFIED]]
    .filter(([key]) => key === "velocities" ? moving_points().length > 0 : key === "magnified" || data.labels)
    .map(([key, text]) => {
      const box = element("input", {type: "checkbox", onchange: () =>
        store.set({show: {...store.get().show, [key]: box.checked}})});
      box.checked = store.get().show[key];
      return element("label", {class: `toggle ${key}`}, box, text);
    });
  const magnified = toggles.at(-1);
  let track = "";
  const lay_track = () => {
    const list = events_of(store.get().run), now = JSON.stringify([data.begin, data.end, list]);
    if (now === track) return;
    track = now;
    scrub.min = data.begin, scrub.max = data.end;
    events.replaceChildren(...make_events(list));
  };
  store.follow((state, before) => {
    if (state.run !== before.run) lay_track();
    if (state.run !== before.run || state.ghost !== before.ghost)
      magnified.style.display = common_factor(state.ghost ? [state.run, state.ghost] : [state.run]) === 1 ? "none" : "";
    if (state.playing !== before.playing) {
      play.replaceChildren(element("svg", {viewBox: "0 0 12 12", width: 13, height: 13, "aria-hidden": "true"},
        element("path", {d: state.playing ? "M2 1h3v10H2zM7 1h3v10H7z" : "M2.5 1v10l8-5z", fill: "currentColor"})));
      play.setAttribute("aria-label", state.playing ? words.PAUSE : words.PLAY);
      play.title = play.getAttribute("aria-label");
    }
    if (state.t !== before.t) {
      scrub.value = state.t;
      scrub.setAttribute("aria-valuetext", `${clock_text(state.t)} s`);
      time.textContent = `${clock_text(state.t)} s`;
    }
  });
  return element("div", {class: "bar"}, play,
    element("div", {class: "track"}, scrub, events), time, speed, element("div", {class: "toggles"}, ...toggles));
}

function move_time(store, part) {
  const {t, run} = store.get();
  const next = t + part * (data.end - data.begin);
  store.set({t: Math.min(Math.max(next, run.begin), run.end), playing: false});
}
