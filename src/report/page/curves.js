// ---- Curves over time: panels that share one cursor with the scrubber

const PANEL = {height: 174, left: 52, right: 104, top: 22, bottom: 26}; // the unit has its line above the highest number
const NARROW = 400; // pixels; in narrower panels names stand above the curves, which have the whole width
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

function extent_of_curves(curves, runs, window, hidden, kept, band) {
  let low = Infinity, high = -Infinity;
  for (const curve of band ? curves.filter(i => !hidden.has(i)) : [])
    low = Math.min(low, ...band.low[curve].filter(Number.isFinite)), high = Math.max(high, ...band.high[curve].filter(Number.isFinite));
  for (const run of runs)
    for (const curve of curves) {
      if (hidden.has(curve)) continue;
      const values = run.curves()[curve], {times} = run;
      for (let i = 0; i < run.count; i++)
        if (times[i] >= window[0] && times[i] <= window[1] && Number.isFinite(values[i])) {
          low = Math.min(low, values[i]), high = Math.max(high, values[i]);
        }
    }
  for (const curve of curves)
    for (const [t, v] of hidden.has(curve) ? [] : data.curves[curve].measured ?? [])
      if (t >= window[0] && t <= window[1]) low = Math.min(low, v), high = Math.max(high, v);
  if (!(low <= high)) return [0, 1];
  // while runs are compared the axis stands still, unless it would no longer fit
  if (kept && low >= kept[0] && high <= kept[1] && high - low > 0.5 * (kept[1] - kept[0])) return kept;
  // what varies by errors of the integration only is a level line
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low < 1e-7 * size || high === low) return [low - (0.1 * size || 1), high + (0.1 * size || 1)];
  return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
}

// A curve as the corners of straight pieces that stay within an eighth of a pixel of it: from the last
// corner goes the widest fan of lines that pass by all points since.
const NEAR = 0.12;
class Corners {
  constructor() { this.path = "", this.is_open = this.has_last = false, this.x = this.y = this.last_x = this.last_y = this.low = this.high = 0; }
  put(x, y) {
    this.path += `${this.is_open ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
    this.x = x, this.y = y, this.low = -Infinity, this.high = Infinity;
    this.is_open = true, this.has_last = false;
  }
  add(x, y) {
    if (!this.is_open) return this.put(x, y);
    if (this.has_last) {
      const slope = (y - this.y) / (x - this.x);
      if (!(slope >= this.low && slope <= this.high)) this.put(this.last_x, this.last_y);
    }
    const dx = x - this.x;
    this.low = Math.max(this.low, (y - NEAR - this.y) / dx);
    this.high = Math.min(this.high, (y + NEAR - this.y) / dx);
    this.last_x = x, this.last_y = y, this.has_last = true;
  }
  end() {
    if (this.has_last) this.put(this.last_x, this.last_y);
    this.is_open = this.has_last = false;
  }
}

// Of a pixel's column the first, lowest, highest and last point, in the order of their times.
class Column {
  constructor(corners) { this.corners = corners, this.number = NaN, this.x = new Float64Array(4), this.y = new Float64Array(4); }
  add(x, y) {
    const number = Math.floor(x), {x: xs, y: ys} = this;
    if (number !== this.number) {
      this.flush();
      this.number = number;
      xs.fill(x), ys.fill(y);
    }
    if (y < ys[1]) xs[1] = x, ys[1] = y;
    if (y > ys[2]) xs[2] = x, ys[2] = y;
    xs[3] = x, ys[3] = y;
  }
  flush() {
    if (Number.isNaN(this.number)) return;
    const {x, y, corners} = this, is_down = x[1] < x[2], a = is_down ? 1 : 2, b = is_down ? 2 : 1;
    this.number = NaN;
    corners.add(x[0], y[0]);
    if (x[a] > x[0] && x[a] < x[3]) corners.add(x[a], y[a]);
    if (x[b] > x[a] && x[b] < x[3]) corners.add(x[b], y[b]);
    if (x[3] > x[0]) corners.add(x[3], y[3]);
  }
}

const on_line = (line, v) => line.to + line.by * (v - line.from);

// Where time stands still the curve jumps. A time t is at x.to + x.by * (t - x.from), a value likewise.
function curve_paths(run, values, x, y, window) {
  const corners = new Corners(), column = new Column(corners), {times, count} = run;
  let jumps = "";
  const leave = () => {
    column.flush();
    corners.end();
  };
  const first = Math.max(run.place(window[0]) - 1, 0);
  for (let i = first; i < count; i++) {
    const t = times[i], v = values[i];
    if (!Number.isFinite(v)) {
      leave();
      continue;
    }
    const at_x = on_line(x, t), at_y = on_line(y, v);
    if (i > first && t === times[i - 1] && Number.isFinite(values[i - 1])) {
      leave();
      const from = on_line(y, values[i - 1]);
      if (Math.abs(from - at_y) > 0.5) jumps += `M${at_x.toFixed(1)} ${from.toFixed(1)}V${at_y.toFixed(1)}`;
    }
    column.add(at_x, at_y);
    if (t > window[1]) break;
  }
  leave();
  return {path: corners.path, jumps};
}

// Numbers of many digits in units of a power of a thousand, as in src/chart: MPa, mm, 10⁻³ kg.
function scaled_unit(size, unit) {
  if (!(size > 0) || (size >= 0.1 && size < 2e4)) return {factor: 1, unit};
  const exponent = 3 * Math.floor(Math.log10(size) / 3), base = unit.split(/[ /²³]/)[0];
  const prefix = ["p", "n", "µ", "m", "", "k", "M", "G"][exponent / 3 + 4];
  const takes = ["m", "s", "N", "J", "W", "Pa", "Hz", "rad"].includes(base) && !"²³".includes(unit[base.length] ?? " ");
  const power = `10${[...String(exponent)].map(c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`;
  return {factor: 10 ** exponent, unit: prefix !== undefined && takes ? prefix + unit : `${power} ${unit}`.trim()};
}

// A range so narrow about a large value that its ticks would all be that value: the round value from which they are counted.
function offset_of([low, high]) {
  const size = Math.max(Math.abs(low), Math.abs(high)), width = high - low;
  if (!(width > 0) || width > 2e-4 * size) return 0;
  const step = 10 ** Math.ceil(Math.log10(width) + 0.5);
  return Math.round((low + high) / 2 / step) * step;
}
function offset_text(offset, range, unit) {
  if (!offset) return "";
  const digits = Math.ceil(Math.log10(Math.abs(offset) / (range[1] - range[0]))) + 1;
  return `${offset > 0 ? "+" : "−"} ${number_text(Math.abs(offset), Math.min(Math.max(digits, 1), 15))} ${unit}`.trim();
}

// Numbers of four digits are no wider, with their sign and a power of ten; in the font of .name .value.
function widest_value() {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  return pen.measureText("−8.888e−8").width;
}

function make_panel(store, number) {
  const members = data.curves.map((_, i) => i).filter(i => data.curves[i].panel === number);
  const svg = element("svg", {class: "curves", role: "img", tabindex: "0"});
  const names = element("div", {class: "names"});
  const box = element("div", {class: "panel"}, svg, names);
  const clip = `clip${number}`, has_measured = members.some(i => data.curves[i].measured);
  let size = {wide: 400, right: PANEL.right}, scale = {factor: 1, unit: "", offset: 0}, range = [0, 1], drawn_once = false, select = null;

  const buttons = new Map(members.map(i => {
    const curve = data.curves[i], value = element("span", {class: "value"});
    const button = element("button", {type: "button", class: "name", "data-s": curve.symbol, "aria-pressed": "true",
      onclick: () => {
        const hidden = new Set(store.get().hidden);
        if (!hidden.delete(i)) hidden.add(i);
        store.set({hidden});
      }}, element("span", {html: math(curve.label)}), value);
    names.append(button);
    return [i, {button, value}];
  }));

  // For those who hear the page: each curve with how far it goes.
  const described = run => {
    if (said.run === run) return said.text;
    const told = members.map(i => {
      const {name, unit} = data.curves[i], column = k => run.curves()[i][k], [low, high] = [-1, 1].map(side => extreme_of(run, column, side));
      return `${name}: ${number_text(low)} … ${number_text(high)} ${unit}`.trim();
    });
    return (said = {run, text: `${data.words.CURVES}: ${told.join("; ")}`}).text;
  };
  let said = {};
  const inner = () => size.wide - PANEL.left - size.right;
  const x_line = window => ({from: window[0], to: PANEL.left, by: inner() / (window[1] - window[0])});
  const y_line = () => ({from: range[1], to: PANEL.top, by: -(PANEL.height - PANEL.top - PANEL.bottom) / (range[1] - range[0])});
  const x_of = (t, window) => on_line(x_line(window), t);
  const y_of = v => on_line(y_line(), v);
  const time_at = (event, window) => {
    const x = event.clientX - svg.getBoundingClientRect().left;
    return window[0] + (window[1] - window[0]) * Math.min(Math.max((x - PANEL.left) / inner(), 0), 1);
  };

  const grid = window => {
    const parts = [], bottom = PANEL.height - PANEL.bottom, right = size.wide - size.right;
    const add = (tag, attributes, ...text) => parts.push(element(tag, attributes, ...text));
    const step_y = nice_step(range[1] - range[0], 4, scale.unit), step_x = nice_step(window[1] - window[0], inner() / 80);
    const {offset} = scale, first = Math.ceil((range[0] - offset) / step_y), last = Math.floor((range[1] - offset) / step_y);
    for (let k = first; k <= last; k++) {
      const shown = k * step_y, y = y_of(offset + shown);
      add("line", {x1: PANEL.left, x2: right, y1: y, y2: y, class: shown === 0 ? "zero" : "grid"});
      add("text", {x: PANEL.left - 6, y: y + 4, "text-anchor": "end"}, number_text(shown / scale.factor, 5));
    }
    for (let t = Math.ceil(window[0] / step_x - 1e-9) * step_x; t <= window[1] * (1 + 1e-9); t += step_x) {
      const x = x_of(t, window), is_last = t + step_x > window[1] * (1 + 1e-9);
      add("line", {x1: x, x2: x, y1: PANEL.top, y2: bottom, class: "grid"});
      add("text", {x, y: bottom + 15, "text-anchor": "middle"},
          number_text(Math.abs(t) < 1e-9 * step_x ? 0 : t, 5) + (is_last ? " s" : ""));
    }
    add("text", {x: PANEL.left - 6, y: 11, "text-anchor": "end", class: "unit"}, scale.unit);
    add("text", {x: PANEL.left, y: 11, class: "unit"}, offset_text(offset, range, data.curves[members[0]].unit));
    for (const event of events_of(store.get().run)) {
      if (event.t < window[0] || event.t > window[1]) continue;
      const x = x_of(event.t, window);
      add("line", {x1: x, x2: x, y1: bottom - 5, y2: bottom, class: "eventmark"});
    }
    return parts;
  };

  // The paths of a curve are written anew only where something of them has changed.
  const paths = new Map();
  const paths_of = (role, one, i, state) => {
    const {window} = state, key = [...range, ...window, size.wide, size.right].join();
    let drawn = paths.get(role + i);
    if (!drawn) paths.set(role + i, drawn = {curve: element("path"), jump: element("path")});
    if (drawn.run === one && drawn.key === key) return drawn;
    const {path, jumps} = curve_paths(one, one.curves()[i], x_line(window), y_line(), window);
    drawn.curve.setAttribute("d", path), drawn.jump.setAttribute("d", jumps);
    return Object.assign(drawn, {run: one, key, jumps});
  };
  const put = (node, attributes) => {
    for (const [name, value] of Object.entries(attributes))
      if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
    return node;
  };
  // Between the least and the greatest of several runs.
  const draw_band = ({band, window, hidden}, theme) => members.filter(i => !hidden.has(i)).map(i => {
    const edge = (values, k) => `${x_of(band.times[k], window).toFixed(1)} ${y_of(values[k]).toFixed(1)}`, there = [], back = [];
    band.times.forEach((_, k) => {
      if (!Number.isFinite(band.low[i][k] + band.high[i][k])) return;
      there.push(edge(band.high[i], k)), back.unshift(edge(band.low[i], k));
    });
    return element("path", {class: "band", d: there.length ? `M${[...there, ...back].join("L")}Z` : "", fill: themed(data.curves[i].colour, theme)});
  });
  // Measured values as dots, and how far the curve is from them.
  const draw_measured = ({run, window, hidden}, theme) => members.filter(i => !hidden.has(i) && data.curves[i].measured).flatMap(i => {
    const {measured, colour} = data.curves[i], stroke = themed(colour, theme);
    const seen = measured.filter(([t]) => t >= window[0] && t <= window[1] && t >= run.begin && t <= run.end);
    const sticks = seen.map(([t, v]) => `M${x_of(t, window).toFixed(1)} ${y_of(v).toFixed(1)}V${y_of(run.curve_numbers(run.at(t))[i]).toFixed(1)}`).join("");
    return [element("path", {class: "residual", d: sticks, stroke}),
      ...seen.map(([t, v]) => element("circle", {class: "measured", cx: x_of(t, window).toFixed(1), cy: y_of(v).toFixed(1), r: 2.6, fill: theme.paper, stroke}))];
  });
  const draw_curves = (state, theme) => {
    const {run, ghost, band, hidden, lit} = state, nodes = band ? draw_band(state, theme) : [];
    for (const old of ghost ? [true, false] : [false])
      for (const i of members.filter(m => !hidden.has(m))) {
        const curve = data.curves[i], drawn = paths_of(old ? "ghost" : "run", old ? ghost : run, i, state);
        const stroke = themed(curve.colour, theme), is_lit = lit && curve.symbol === lit;
        nodes.push(put(drawn.curve, {class: old ? "curve ghost" : "curve", stroke, "stroke-width": old ? 1 : is_lit ? 3.4 : 1.8,
          "stroke-dasharray": DASHES[curve.dash % 4], ...(old ? {} : {"data-curve": i})}));
        if (drawn.jumps) nodes.push(put(drawn.jump, {class: "curve jump", stroke, "stroke-width": old ? 0.6 : 1.2}));
      }
    replace_where_new(group, has_measured ? [...nodes, ...draw_measured(state, theme)] : nodes);
  };

  // Names stand where their curves end, pushed apart where they would touch.
  const place_names = state => {
    if (size.is_narrow) return void (box.style.minHeight = "");
    const {run, hidden, window} = state, last = run.place(window[1]);
    const high = 19, list = members.map(i => {
      const v = run.curves()[i][last];
      return {i, y: Number.isFinite(v) && !hidden.has(i) ? y_of(v) : PANEL.height};
    }).sort((a, b) => a.y - b.y);
    const top = 4, bottom = Math.max(PANEL.height - PANEL.bottom + 8, top + high * list.length);
    list.forEach((one, k) => { one.y = Math.max(one.y - high / 2, k ? list[k - 1].y + high : top); });
    for (let k = list.length - 1; k >= 0; k--)
      list[k].y = Math.min(list[k].y, k + 1 < list.length ? list[k + 1].y - high : bottom - high);
    const put_style = (node, name, value) => { if (node.style[name] !== value) node.style[name] = value; };
    for (const {i, y} of list) put_style(buttons.get(i).button, "top", `${Number(y.toFixed(1))}px`);
    put_style(box, "minHeight", `${Math.max(bottom, PANEL.height)}px`);
  };

  const area = element("rect"), defs = document.createElementNS("http://www.w3.org/2000/svg", "clipPath");
  defs.id = clip;
  defs.append(area);
  const axes = element("g"), group = element("g", {"clip-path": `url(#${clip})`});
  const cursor = element("line", {class: "cursor", y1: PANEL.top, y2: PANEL.height - PANEL.bottom});
  const look = element("line", {class: "look", y1: PANEL.top, y2: PANEL.height - PANEL.bottom, visibility: "hidden"});
  const chosen = element("rect", {class: "chosen", y: PANEL.top, height: PANEL.height - PANEL.top - PANEL.bottom, visibility: "hidden"});
  const mark = element("g", {class: "peak", visibility: "hidden"});
  svg.append(defs, axes, group, chosen, cursor, look, mark);
  Object.assign(size, {cursor, look, chosen});
  let grid_key = "";

  const draw = (state, theme) => {
    const {run, ghost, band, window, hidden} = state;
    range = extent_of_curves(members, ghost ? [run, ghost] : [run], window, hidden, ghost && drawn_once ? range : null, band);
    drawn_once = true;
    const key = [...range, ...window, size.wide, size.right, ...events_of(run).map(e => e.t)].join();
    if (key !== grid_key) {
      const offset = offset_of(range), size_of = v => Math.abs(v - offset);
      scale = {...scaled_unit(Math.max(size_of(range[0]), size_of(range[1])), data.curves[members[0]].unit), offset};
      svg.setAttribute("viewBox", `0 0 ${size.wide} ${PANEL.height}`);
      svg.setAttribute("height", PANEL.height);
      put(area, {x: PANEL.left, y: PANEL.top - 4, width: inner(), height: PANEL.height - PANEL.top - PANEL.bottom + 8});
      axes.replaceChildren(...grid(window));
      grid_key = key;
    }
    draw_curves(state, theme);
    put(svg, {"aria-label": described(run)});
    for (const [i, {button}] of buttons) {
      const colour = themed(data.curves[i].colour, theme);
      if (button.style.getPropertyValue("--c") !== colour) button.style.setProperty("--c", colour);
      put(button, {"aria-pressed": !hidden.has(i)});
    }
    place_names(state);
    move(state);
  };
  const widest_name = () => Math.max(...[...buttons.values()].map(({button}) => button.firstChild.offsetWidth));
  // Names and numbers have room, the curves the rest; all panels end at one line.
  const resize = widest => {
    size.wide = Math.max(svg.clientWidth || 400, 240);
    size.is_narrow = size.wide < NARROW;
    size.right = size.is_narrow ? 14 : Math.min(Math.max(PANEL.right, widest + widest_value() + 20), 0.45 * size.wide);
    names.style.width = size.is_narrow ? "" : `${size.right - 4}px`;
    box.classList.toggle("narrow", size.is_narrow);
  };

  // What changes in every frame.
  const move = state => {
    const {run, t, window, looked_at} = state, inside = t >= window[0] && t <= window[1], x = x_of(t, window);
    size.cursor.setAttribute("visibility", inside ? "visible" : "hidden");
    size.cursor.setAttribute("x1", x), size.cursor.setAttribute("x2", x);
    show_peak(state);
    const read = Math.min(looked_at ?? t, run.end);
    put(size.look, {visibility: looked_at === null ? "hidden" : "visible", x1: x_of(read, window), x2: x_of(read, window)});
    const values = run.curve_numbers(run.at(read));
    // what is smaller than anybody sees in the panel is rounding
    const least = 1e-6 * (range[1] - range[0]);
    for (const [i, {value}] of buttons) {
      const shown = values[i] - scale.offset, text = number_text(Math.abs(shown) < least ? 0 : shown / scale.factor);
      if (value.textContent !== text) value.textContent = text;
    }
  };

  // A click near a peak is meant for it: the mechanism is shown at that moment, and the peak is read.
  const go_to_peak = (event, t) => {
    const {run, window, hidden} = store.get(), y = event.clientY - svg.getBoundingClientRect().top;
    const reach = 9 * (window[1] - window[0]) / inner();
    const found = members.filter(i => !hidden.has(i))
      .map(i => ({run, curve: i, ...peak_near(run, run.curves()[i], t, reach)}))
      .filter(one => one.far !== undefined && Math.abs(y_of(one.value) - y) < 16)
      .sort((a, b) => Math.abs(y_of(a.value) - y) - Math.abs(y_of(b.value) - y))[0];
    return {peak: found ?? null, ...(found ? {t: found.t} : {})};
  };
  const show_peak = ({peak, run, t, window}) => {
    const is_here = peak?.run === run && members.includes(peak.curve) && peak.t === t;
    mark.setAttribute("visibility", is_here ? "visible" : "hidden");
    if (!is_here) return;
    const x = x_of(t, window), y = y_of(peak.value), left = x > size.wide - PANEL.right - 120;
    const {unit} = data.curves[peak.curve], text = `${number_text(peak.value, 5)}${unit ? " " + unit : ""}, ${number_text(t, 5)} s`;
    mark.replaceChildren(element("circle", {cx: x, cy: y, r: 4}),
      element("text", {x: x + (left ? -8 : 8), y: y + (peak.is_top ? -6 : 15), "text-anchor": left ? "end" : "start"}, text));
  };

  svg.addEventListener("pointerdown", event => {
    select = {from: time_at(event, store.get().window), moved: false};
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", event => {
    const {window} = store.get(), hover = time_at(event, window);
    if (select && Math.abs(x_of(hover, window) - x_of(select.from, window)) > 6) select.moved = true;
    if (select?.moved) {
      const [a, b] = [x_of(select.from, window), x_of(hover, window)].sort((p, q) => p - q);
      size.chosen.setAttribute("x", a), size.chosen.setAttribute("width", b - a);
      size.chosen.setAttribute("visibility", "visible");
    }
    store.set({looked_at: hover});
  });
  svg.addEventListener("pointerup", event => {
    const {window} = store.get(), to = time_at(event, window);
    if (select?.moved) store.set({window: [select.from, to].sort((p, q) => p - q)});
    else if (select) store.set({t: to, playing: false, ...go_to_peak(event, to)});
    size.chosen.setAttribute("visibility", "hidden");
    select = null;
  });
  svg.addEventListener("pointerleave", () => {
    store.set({looked_at: null});
  });
  svg.addEventListener("dblclick", () => store.set({window: [data.begin, data.end]}));
  svg.addEventListener("keydown", event => {
    const {window, t} = store.get();
    const zoom = factor => {
      const half = 0.5 * factor * (window[1] - window[0]);
      store.set({window: [Math.max(t - half, data.begin), Math.min(t + half, data.end)]});
    };
    if (event.key === "ArrowLeft") move_time(store, -0.005);
    else if (event.key === "ArrowRight") move_time(store, 0.005);
    else if (event.key === "+") zoom(0.5);
    else if (event.key === "-") zoom(2);
    else if (event.key === "0") store.set({window: [data.begin, data.end]});
    else return;
    event.preventDefault();
  });
  return {box, draw, move, resize, widest_name};
}

function make_curves(store) {
  const panels = [];
  for (let i = 0; i < data.panels; i++) panels.push(make_panel(store, i));
  const box = element("div", {class: "panels"}, ...panels.map(panel => panel.box),
                      element("p", {class: "hint"}, data.words.HINT));
  let theme = page_theme();
  const redraw = () => {
    const widest = Math.max(0, ...panels.map(panel => panel.widest_name()));
    panels.forEach(panel => {
      panel.resize(widest);
      panel.draw(store.get(), theme);
    });
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    theme = page_theme();
    redraw();
  });
  new ResizeObserver(redraw).observe(box);
  // On paper they have its width and the colours of a light page.
  const on_paper = is_paper => {
    box.classList.toggle("onpaper", is_paper);
    theme = is_paper ? page_theme(false) : page_theme();
    redraw();
  };
  addEventListener("beforeprint", () => on_paper(true));
  addEventListener("afterprint", () => on_paper(false));
  store.follow((state, before) => {
    const same = ["run", "ghost", "band", "window", "hidden", "lit"].every(key => state[key] === before[key]);
    panels.forEach(panel => same ? panel.move(state) : panel.draw(state, theme));
  });
  return box;
}
