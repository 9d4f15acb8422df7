// The studio without a server: its socket is answered here, by workers with the engine, and files are
// kept by the browser. A worker that is not wanted any more is ended; a warm one takes its place.

const PATIENCE = 250, LITTLE_PATIENCE = 30; // ms: as the server's
const site = globalThis.qdot_site;           // {examples, version, engine: () => WebAssembly.Module, worker: () => Worker}

// ---- Messages as the server writes them

function encode(head) {
  let json = JSON.stringify(head);
  const bytes = new TextEncoder().encode(json), length = bytes.length + (8 - (4 + bytes.length) % 8) % 8;
  const message = new Uint8Array(4 + length).fill(32);
  new DataView(message.buffer).setUint32(0, length, true);
  message.set(bytes, 4);
  return message.buffer;
}

function head_of(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
}

// A message with one section, {name: bytes}.
function encode_section(head, name, bytes) {
  const begin = new Uint8Array(encode({...head, sections: {[name]: [0, bytes.length]}})), whole = new Uint8Array(begin.length + bytes.length);
  whole.set(begin), whole.set(bytes, begin.length);
  return whole.buffer;
}

function section_of(buffer, name) {
  const [first, size] = head_of(buffer).sections?.[name] ?? [0, 0];
  return new Uint8Array(buffer, 4 + new DataView(buffer).getUint32(0, true) + first, size);
}

// The engine has no pixels: the page draws its SVG at twice the size.
async function png_of(svg) {
  const picture = new Image(), address = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  picture.src = address;
  await picture.decode();
  URL.revokeObjectURL(address);
  const canvas = Object.assign(document.createElement("canvas"), {width: 2 * picture.naturalWidth, height: 2 * picture.naturalHeight});
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise(resolve => canvas.toBlob(resolve));
  return new Uint8Array(await blob.arrayBuffer());
}

// ---- Files

const SAVED = "qdot-file:", KEPT = "qdot-journal:", DATA = "qdot-data:";
const memory = new Map(); // where the browser keeps nothing
let keeps = true;
try {
  localStorage.setItem("qdot-test", "1"), localStorage.removeItem("qdot-test");
} catch {
  keeps = false;
}

const store = {
  get(key) { return keeps ? localStorage.getItem(key) : memory.get(key) ?? null; },
  // Why it was not kept, or "".
  set(key, value) {
    if (!keeps) return memory.set(key, value), "this browser keeps nothing: save the text with Export before you leave";
    try {
      localStorage.setItem(key, value);
      return "";
    } catch {
      return "the browser's store is full: what you type is not kept until files are thrown away";
    }
  },
  remove(key) { keeps ? localStorage.removeItem(key) : memory.delete(key); },
  names(prefix) {
    const keys = keeps ? Object.keys(localStorage) : [...memory.keys()];
    return keys.filter(k => k.startsWith(prefix)).map(k => k.slice(prefix.length)).sort();
  },
};

const files = () => [...new Set([...store.names(SAVED), ...store.names(KEPT)])].sort();
const bytes_of = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

function data_files() {
  const out = {};
  for (const example of site.examples) if (example.data) out[example.name + ".csv"] = new TextEncoder().encode(example.data);
  for (const name of store.names(DATA)) out[name] = bytes_of(store.get(DATA + name));
  return out;
}

// ---- Engines

class Engine {
  constructor(module, heard) {
    this.worker = site.worker();
    this.heard = heard;
    this.ready = new Promise(resolve => { this.is_ready = resolve; });
    this.worker.onmessage = ({data}) => data.kind === "ready" ? this.is_ready() : this.heard?.(data);
    this.worker.onerror = event => this.heard?.({kind: "crashed", why: event.message ?? "the worker did not start"});
    this.worker.postMessage({module, files: data_files()});
  }
  end() { this.worker.terminate(); }
}

let spare = null;
async function take_engine() {
  const module = await site.engine(), taken = spare ?? new Engine(module);
  spare = null;
  await taken.ready;
  // the next one is made when this one has begun to work
  setTimeout(() => { spare ??= new Engine(module); }, 50);
  return taken;
}

// One engine's requests: in order, or the newest alone.
class Lane {
  constructor(send, keeps_all) {
    Object.assign(this, {send, keeps_all, waiting: [], now: null, engine: null, since: 0, patience: PATIENCE, timer: 0, is_starting: false});
  }
  submit(request) {
    this.waiting = this.keeps_all ? [...this.waiting, request].slice(-16) : [request];
    this.pump();
  }
  async pump() {
    if (this.now) return this.hurry();
    if (!this.engine) {
      if (this.is_starting) return;
      this.is_starting = true;
      try {
        this.engine = await take_engine();
        this.engine.heard = message => this.hear(message);
      } catch (error) {
        this.send(encode({do: "refused", id: 0, why: `the engine cannot be loaded: ${error.message}`}));
        return;
      } finally {
        this.is_starting = false;
      }
    }
    if (this.now || !this.waiting.length) return;
    this.now = this.waiting.shift();
    this.since = performance.now(), this.patience = PATIENCE;
    this.engine.worker.postMessage({request: JSON.stringify(this.now)});
  }
  // Others wait: it is ended when its time is over.
  hurry() {
    if (this.keeps_all || this.timer) return;
    const left = this.since + this.patience - performance.now();
    if (left <= 0) return this.cancel();
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.now && this.waiting.length) this.hurry();
    }, left);
  }
  // Ends the present request now.
  cancel(why = null) {
    const {now} = this;
    if (!now) return;
    this.engine.end();
    this.engine = this.now = null;
    if (why) this.send(encode({do: "refused", id: now.id, why}));
    if (now.do === "edit") this.send(encode({do: "done", id: now.id, stopped: true}));
    else if (!why) this.send(encode({do: "refused", id: now.id, why: "stopped"}));
    this.pump();
  }
  stop() {
    this.waiting = [];
    this.cancel();
  }
  hear(message) {
    if (message.kind === "crashed") return this.cancel(`the engine ended: ${message.why}; it has been started anew`);
    if (message.kind === "finished") {
      this.now = null;
      // memory that one request took is given back
      if (message.memory > 256 << 20) this.engine.end(), this.engine = null;
      return this.pump();
    }
    if (head_of(message.buffer).do !== "lingers") return this.send(message.buffer);
    this.since = performance.now(), this.patience = LITTLE_PATIENCE;
    if (this.waiting.length) this.hurry();
  }
}

// ---- The socket

class EngineSocket {
  constructor() {
    const send = buffer => this.pass(buffer);
    this.pictures = new Set(); // requests whose SVG becomes a PNG
    this.readyState = WebSocket.OPEN;
    this.file = "";
    this.lanes = {compute: new Lane(send, false), language: new Lane(send, true), export: new Lane(send, true)};
    // the other pages of this browser that show the same file
    addEventListener("storage", ({key, newValue}) => {
      if (this.file && key === KEPT + this.file && newValue !== null) this.answer({do: "changed", id: 0, file: this.file, text: newValue});
    });
    setTimeout(() => this.onopen?.(), 0);
  }
  answer(head) { this.onmessage?.({data: encode(head)}); }

  send(text) {
    const request = JSON.parse(text), desk = EngineSocket.desk[request.do];
    if (request.do === "edit") this.keep(request);
    if (desk) setTimeout(() => this.answer({id: request.id, ...desk.call(this, request)}), 0);
    else if (request.do === "export" && request.kind === "png") this.export_png(request);
    else if (request.do === "stop") this.lanes.compute.stop(), this.lanes.export.stop();
    else this.lanes[EngineSocket.rooms[request.do] ?? "export"].submit(request);
  }

  export_png(request) {
    this.pictures.add(request.id);
    this.lanes.export.submit({...request, kind: "svg"});
  }
  // What an engine has said, or a picture that is drawn from it here.
  async pass(buffer) {
    const head = head_of(buffer), svg = this.pictures.delete(head.id) ? section_of(buffer, "mechanism.svg") : [];
    if (!svg.length) return this.onmessage?.({data: buffer});
    const bytes = await png_of(svg).catch(() => null);
    const answer = {do: "exported", id: head.id, diagnostics: head.diagnostics};
    this.onmessage?.({data: bytes ? encode_section(answer, "mechanism.png", bytes) : encode({...answer, why: "this browser cannot draw the picture"})});
  }

  keep({id, file, text}) {
    const why = file ? store.set(KEPT + file, text) : "";
    if (file) this.file = file;
    setTimeout(() => this.answer({do: "kept", id, ...(why && {why})}), 0);
  }

  open(file) {
    const saved = store.get(SAVED + file), kept = store.get(KEPT + file);
    if (saved === null && kept === null) return {do: "refused", why: "there is no such file in this browser"};
    this.file = file;
    return {do: "opened", file, text: kept ?? saved, unsaved: kept !== null && kept !== saved};
  }

  static rooms = {edit: "compute", complete: "language", hover: "language", uses: "language"};
  static desk = {
    hello() {
      return {do: "welcome", version: site.version, file: "", files: files(), examples: site.examples.map(({name, about}) => ({name, about}))};
    },
    open({file}) { return this.open(file); },
    example({kind}) {
      const example = site.examples.find(e => e.name === kind);
      return example ? {do: "opened", file: "", text: example.text} : {do: "refused", why: "there is no such example"};
    },
    save({file, text}) {
      const why = store.set(SAVED + file, text);
      if (why) return {do: "refused", why};
      store.remove(KEPT + file);
      this.file = file;
      return {do: "saved", file, files: files()};
    },
    discard({file}) {
      store.remove(KEPT + file);
      return this.open(file);
    },
    link() { return {do: "refused", why: "this studio runs in the browser alone"}; },
  };
}

globalThis.qdot_engine_socket = () => new EngineSocket();

// A table that is dropped on the page lies beside the models from then on.
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", async event => {
  event.preventDefault();
  for (const file of event.dataTransfer?.files ?? []) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    const why = store.set(DATA + file.name, btoa(text));
    document.getElementById("notice").textContent = why || `${file.name} lies beside the models now`;
    spare?.end(), spare = null;
    spare = new Engine(await site.engine());
  }
});

// The text that the address asks for: ?example=NAME, ?model=URL of the same origin; null without one.
site.asked = async () => {
  const asked = new URLSearchParams(location.search), name = asked.get("example"), url = asked.get("model");
  if (name) return site.examples.find(e => e.name === name)?.text ?? null;
  if (!url || new URL(url, location.href).origin !== location.origin) return null;
  const response = await fetch(url).catch(() => null);
  return response?.ok ? (await response.text()).slice(0, 1 << 20) : null;
};
