// ---- Parameters under the finger

const SHOWN_KNOBS = 12;

// From a slider's -1 .. 1 to a value and back: by factors up to 4 where the usual value is not 0.
function knob_scale(usual, is_angle) {
  if (is_angle) return {value: s => 180 * s, slide: v => v / 180};
  if (usual === 0) return {value: s => s, slide: v => v};
  return {value: s => usual * 4 ** s, slide: v => Math.log(v / usual) / Math.log(4)};
}

// Four digits, and no more zeros than fit into the box.
function short_number(value) {
  const digits = Number(value.toPrecision(4)), plain = String(digits), short = digits.toExponential();
  return (plain.length > 8 && short.length < plain.length ? short : plain).replace(".", data.words.decimal);
}
// What somebody types, with a point or a comma; NaN where it is no number.
function typed_number(text) { return text.trim() === "" ? NaN : Number(text.trim().replace(",", ".").replace("−", "-")); }

function make_knob(knob, usual, change) {
  const factor = knob.factor ?? 1, is_angle = knob.is_start && knob.unit === "°";
  const shown = usual / factor, scale = knob_scale(shown, is_angle);
  const unit = unit_text(knob.unit ?? ""), called = `${knob.key}${knob.about ? ": " + knob.about : ""}`;
  const slide = element("input", {type: "range", min: -1, max: 1, step: 0.005, "data-s": knob.name, "aria-label": called});
  const type = element("input", {type: "text", inputmode: "decimal", class: "number", autocomplete: "off",
    "aria-label": unit ? `${knob.key} [${unit}]` : knob.key, "data-key": knob.key});
  const follow = element("button", {type: "button", class: "follow", title: data.words.COMPUTED, "aria-label": `${knob.key}: ${data.words.COMPUTED}`,
    onclick: () => change(knob.key, undefined, true)});
  const show = value => {
    type.value = short_number(value);
    slide.setAttribute("aria-valuetext", `${type.value} ${unit}`.trim());
  };
  const put = value => {
    show(value);
    slide.value = Math.min(Math.max(scale.slide(value), -1), 1) || 0;
  };
  const say = (value, is_final) => change(knob.key, value === shown ? undefined : value * factor, is_final);
  slide.addEventListener("input", () => {
    const value = scale.value(Number(slide.value));
    show(value);
    say(value, false);
  });
  slide.addEventListener("change", () => say(typed_number(type.value), true));
  type.addEventListener("change", () => {
    const value = typed_number(type.value);
    if (!Number.isFinite(value)) return put(shown);
    slide.value = scale.slide(value);
    say(value, true);
  });
  put(shown);
  const row = element("div", {class: knob.computed ? "knob computed" : "knob", title: knob.about ?? ""},
    element("span", {class: "symbol"}, element("span", {"data-s": knob.name, html: math(knob.label)}), knob.computed ? follow : ""), slide, type,
    element("span", {class: "unit"}, unit));
  // is_set: by hand, so that it does not follow what it is computed from
  const mark = is_set => { follow.disabled = !is_set, follow.textContent = is_set ? "≠" : "="; };
  mark(false);
  const said = value => ({name: knob.key, label: knob.label, text: short_number(value / factor), unit});
  return {row, reset: () => put(shown), key: knob.key, inputs: [slide, type], put: v => put(v / factor), mark, said};
}

// What is said of a run that does not reach the end.
function stop_words({reason}) {
  const {words} = data;
  return reason === null ? "" : reason === "steps" ? words.NO_STEPS : words.STOPPED;
}

const COARSE = 500, FINE = 2000; // rows while a slider moves, and of the motion whose bounds are told
const PATIENCE = 150, SLICE = 12, NEWS = 500, MOST_STEPS = 3e6; // milliseconds of the first part and of others, and between those shown

// Computes in parts, so that the page stays alive: show(result, is_done). One that is not patient ends with its first part. Returns
// what ends it.
function compute_in_parts(options, is_patient, show) {
  const parts = engine.simulate_in_parts(options), begin = performance.now();
  let is_over = false;
  const work = (until, news) => {
    while (!is_over) {
      const {done, value} = parts.next(), now = performance.now(), is_new = now >= news;
      if (done) return show(value, true);
      if (now < until) continue;
      if (is_new) show(value, false);
      if (is_patient) setTimeout(() => work(performance.now() + SLICE, is_new ? now + NEWS : news), 0);
      return;
    }
  };
  work(begin + PATIENCE, begin + PATIENCE);
  return () => { is_over = true; };
}

function make_knobs(store) {
  const {words} = data, usual = engine.parameters(), {model} = engine;
  const report = element("p", {class: "state", role: "status"});
  const none = {p: {}, u: {}, given: {}};
  let wanted = none, timer = null, give_up = () => {};

  const compute = is_final => {
    timer = null;
    give_up();
    const p = engine.parameters(wanted.p), u = engine.usual_inputs(p), whole = data.end - data.begin;
    const changed = Object.values(wanted).some(values => Object.keys(values).length > 0);
    for (const {key, number} of data.inputs) u[number] = wanted.u[key] ?? u[number];
    store.set({set: {p, u}, changed: changes(), is_whole: false});
    if (!changed) {
      store.set({run: stored_run, ghost: null});
      report.textContent = "";
      return;
    }
    const options = {p, u, given: wanted.given, end: data.end, every: whole / (is_final ? FINE : COARSE), yields: true,
      rtol: is_final ? model.rtol : 1e-6, atol: is_final ? model.atol : 1e-7, most_steps: MOST_STEPS, most_sides: 4000};
    give_up = compute_in_parts(options, is_final, (result, is_done) => show(result, p, u, is_done));
  };
  const show = (result, p, u, is_done) => {
    if (result.rows.length < 2) {
      report.textContent = !is_done ? "" : result.reason === "start" ? words.NO_START : words.NO_MOTION;
      return;
    }
    const run = Run.from_rows([...result.rows], p, u);
    run.events = result.events.map(({t, text, stops}) => ({t, text: `${words[stops ? "EVENT_STOP" : "EVENT_RESET"]} ${text}`}));
    const size = Math.max(...result.rows.map(row => Math.abs(row[energy_column])), 1e-300);
    starts.forEach((knob, i) => {
      if (wanted.given[knob.key] === undefined) knob.put(result.rows[0][model.columns.indexOf(data.starts[i].key)]);
    });
    report.textContent = [!is_done ? words.COMPUTING.replace("{0}", number_text(run.end)) : stop_words(result), result.yielded ? words.FOLLOWED : "",
      `${words.BALANCE} ${number_text(result.balance, 2)} J (${number_text(result.balance / size, 2)})` +
      (model.m ? `, ${words.DRIFT} ${number_text(result.drift, 2)}` : "")].filter(text => text).join(" ");
    const {t, compares} = store.get();
    store.set({run, is_whole: is_done && result.reason === null, ghost: compares ? stored_run : null, t: Math.min(t, run.end)});
  };
  const energy_column = model.columns.indexOf("E_kin");
  const schedule = is_final => {
    if (timer !== null) cancelAnimationFrame(timer);
    timer = requestAnimationFrame(() => compute(is_final));
  };
  const change = kind => (key, value, is_final) => {
    const {[key]: _, ...rest} = wanted[kind];
    wanted = {...wanted, [kind]: value === undefined ? rest : {...rest, [key]: value}};
    for (const knob of parameters) {
      const is_set = wanted.p[knob.key] !== undefined, is_moved = knob.key === key && value !== undefined;
      if (kind === "p" && !is_set && !is_moved) knob.put(engine.parameters(wanted.p)[knob.key]);
      knob.mark(is_set);
    }
    data.inputs.forEach((one, i) => {
      if (kind === "p" && wanted.u[one.key] === undefined)
        inputs[i].put(engine.usual_inputs(engine.parameters(wanted.p))[one.number]);
    });
    schedule(is_final);
  };
  const start_value = key => {
    const i = model.coordinates.indexOf(key.replace("'", ""));
    return model.start[i + (key.endsWith("'") ? model.n : 0)];
  };
  const parameters = data.parameters.map(knob => make_knob(knob, usual[knob.key], change("p")));
  const inputs = data.inputs.map(knob => make_knob(knob, knob.value, change("u")));
  const starts = data.starts.map(knob => make_knob({...knob, is_start: true}, start_value(knob.key), change("given")));
  // What somebody has set, in the order of the page.
  const changes = () => [["p", parameters], ["u", inputs], ["given", starts]].flatMap(([kind, knobs]) =>
    knobs.filter(knob => wanted[kind][knob.key] !== undefined).map(knob => ({kind, ...knob.said(wanted[kind][knob.key]), knob})));
  const all = [...parameters, ...inputs, ...starts];
  const chip = make_chip(store, {
    take_back: ({kind, knob}) => { knob.reset(), change(kind)(knob.key, undefined, true); },
    take_back_all: () => {
      wanted = none;
      for (const knob of all) knob.reset(), knob.mark(false);
      schedule(true);
    },
  });
  store.follow((state, before) => {
    if (state.compares !== before.compares && state.changed.length) store.set({ghost: state.compares ? stored_run : null});
  });
  const group = (title, knobs) => {
    const rows = knobs.map(knob => knob.row), first = rows.slice(0, SHOWN_KNOBS), rest = rows.slice(SHOWN_KNOBS);
    const parts = [element("h3", {}, title), element("div", {class: "knobs"}, ...first)];
    if (rest.length)
      parts.push(element("details", {}, element("summary", {}, words.MORE), element("div", {class: "knobs"}, ...rest)));
    return knobs.length ? element("div", {class: "group"}, ...parts) : "";
  };
  if (data.refusal) for (const knob of all) for (const input of knob.inputs) input.disabled = true;
  const groups = [group(words.PARAMETERS, [...parameters, ...inputs]), group(words.STARTS, starts)];
  if (data.refusal) // nobody scrolls past what cannot be moved
    return element("section", {class: "change refused", "aria-label": words.CHANGE},
      element("h2", {class: "plain"}, words.CHANGE), element("p", {class: "why"}, data.refusal),
      element("details", {}, element("summary", {}, words.PARAMETERS), ...groups), report);
  return element("section", {class: "change", "aria-label": words.CHANGE},
    element("h2", {class: "plain"}, words.CHANGE), ...groups, report, chip);
}
