// The picture and the curves: the report page's own scripts, on what the server computes.
import {page_kit} from "qdot-page-kit";
import {SampledRun} from "./sampled_run.js";
import {numbers_of} from "./wire.js";

// Listeners of a kit that is thrown away must not hold it.
function listening_match() {
  const kept = [];
  const match = query => {
    const list = matchMedia(query);
    return {matches: list.matches, addEventListener(type, act) {
      list.addEventListener(type, act);
      kept.push(() => list.removeEventListener(type, act));
    }};
  };
  return {match, dispose: () => kept.forEach(act => act())};
}

const is_same = (a, b) => a[0] === b[0] && a[1] === b[1];

// places: {stage, bar, curves}, elements to fill; looks: what stands at the end of the bar. watch(store, kit, data): called for every new stage.
export function make_figure(places, {watch}) {
  let kit = null, stage = null, store = null, shape = "", media = null, at_rest = true, shown = null;
  let whole = null; // the window that shows all
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;

  // What needs a new stage; labels, events and times are read whenever it is drawn, but for the player's speeds.
  const structure = view => JSON.stringify({...view, events: 0, lines: 0, labels: Boolean(view.labels), caption: 0, magnify: 0,
    begin: 0, end: kit?.usual_speed(view.end - view.begin)});
  // A mechanism that is slid until it locks is shown beside the ghost that goes on.
  const window_of = (message, ghost, before) => {
    const {begin, end} = message.view, was_whole = is_same(before, whole);
    whole = [begin, message.slide && ghost ? Math.max(end, ghost.end) : end];
    return was_whole || before[1] > whole[1] ? whole : before;
  };

  // A large place enlarges the drawing; in a small one its letters keep their size.
  const room_of = () => {
    const {clientWidth: wide, clientHeight: high} = places.stage, zoom = Math.max(1, Math.min(wide / 560, high / 330));
    return wide && high ? {width: wide / zoom, height: high / zoom} : null;
  };

  const build = (view, run) => {
    const before = store?.get();
    if (before?.playing) store.set({playing: false});
    media?.dispose();
    media = listening_match();
    kit = page_kit(view, null, media.match);
    whole = [view.begin, view.end];
    const is_same_time = before && before.run.end === run.end;
    store = kit.make_store({run, ghost: null, t: is_same_time ? before.t : view.begin, playing: false,
      speed: is_same_time ? before.speed : kit.usual_speed(view.end - view.begin), window: whole,
      hidden: new Set(), lit: null, looked_at: null, show: before?.show ?? {velocities: false, symbols: true, magnified: true}});
    stage = kit.make_stage(store, room_of);
    store.follow((state, old) => {
      if (["run", "ghost", "t", "show", "lit", "glow", "forces", "looked_from"].some(key => state[key] !== old[key])) stage.draw(state);
    });
    places.stage.replaceChildren(stage.canvas);
    const player = kit.make_player(store);
    player.append(places.looks);
    places.bar.replaceChildren(player);
    places.curves.replaceChildren(kit.make_curves(store));
    kit.run_clock(store);
    watch(store, kit, view, stage);
    if (before ? before.playing : !quiet && !places.stage.hidden) store.set({playing: true});
  };

  return {
    store: () => store,
    kit: () => kit,
    view: () => shown,
    // A motion of the server. While a number moves, the run before it stays as a ghost.
    show(message) {
      const run = new SampledRun(numbers_of(message), message.rows, message.width, message.view.layout);
      run.own_factor = message.view.magnify.factor;
      if (run.count < 2) return;
      if (store && structure(message.view) === shape) {
        const state = store.get();
        const {events, labels, lines, begin, end} = message.view;
        Object.assign(shown, {events, labels, lines, begin, end});
        const ghost = at_rest ? state.run : state.ghost;
        store.set({run, ghost, band: null, forces: null, t: Math.min(state.t, run.end), window: window_of(message, ghost, state.window)});
        store.flush();
      } else {
        build(message.view, run);
        shown = message.view, shape = structure(shown);
      }
      at_rest = !message.slide;
    },
    set(patch) { store?.set(patch); },
    forget_ghost() { store?.set({ghost: null}); },
    camera: () => stage?.camera(),
    // A symbol, and the numbers of shapes.
    light(name, shapes) { store?.set({lit: name, glow: shapes}); },
    play() { store?.set({playing: true}); },
    toggle() { store?.set({playing: !store.get().playing}); },
  };
}
