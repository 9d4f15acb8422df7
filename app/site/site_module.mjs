// The module qdot.js: const qdot = await load(); const model = qdot.open(text, {files}). Everything is computed at
// once, by the one who calls; a worker keeps a page alive meanwhile.

async function unpack(response) {
  const stream = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, {headers: {"Content-Type": "application/wasm"}}).arrayBuffer();
}

async function fetch_engine(url) {
  const packed = await fetch(url + ".gz").catch(() => null);
  if (packed?.ok) return unpack(packed);
  const plain = await fetch(url);
  if (!plain.ok) throw new Error(`the engine is not at ${url}`);
  return plain.arrayBuffer();
}

function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), sections = {};
  for (const [name, [first, size]] of Object.entries(head.sections ?? {})) sections[name] = new Uint8Array(buffer, 4 + length + first, size);
  return {...head, sections};
}

export class QdotError extends Error {
  constructor(diagnostics) {
    super(diagnostics.filter(d => d.severity === "error").map(d => `${d.line}:${d.column}: ${d.message}`).join("\n") || "it failed");
    this.diagnostics = diagnostics;
  }
}

class Model {
  #ask;
  constructor(ask, text) {
    this.#ask = ask;
    this.text = text;
    this.diagnostics = ask({what: "check", text}).diagnostics;
  }
  #get(request) {
    if (!this.#ask) throw new Error("the model is closed");
    const answer = this.#ask({text: this.text, ...request});
    if (!answer.good) throw new QdotError(answer.diagnostics);
    return answer.sections;
  }
  derive() { return JSON.parse(new TextDecoder().decode(this.#get({what: "derive"}).json)); }
  run({set = {}, to = 0, every = 0} = {}) {
    const settings = Object.entries(set).map(([name, value]) => typeof value === "number" ? `${name}=${value}` : `${name}=${value.replace(/^\s*([-+\d.eE]+)\s*([^\s\d[].*)$/, "$1 [$2]")}`);
    const answer = this.#ask?.({text: this.text, what: "run", set: settings, to, every});
    if (!answer) throw new Error("the model is closed");
    if (!answer.good) throw new QdotError(answer.diagnostics);
    const {numbers, summary} = answer.sections, rows = numbers.length / 8 / answer.columns.length, columns = {};
    answer.columns.forEach((name, i) => columns[name] = new Float64Array(numbers.slice(8 * rows * i, 8 * rows * (i + 1)).buffer));
    return {t: columns.t, columns, summary: JSON.parse(new TextDecoder().decode(summary))};
  }
  report({lang} = {}) { return new TextDecoder().decode(this.#get({what: "report", language: lang})["report.html"]); }
  export(language) {
    return Object.fromEntries(Object.entries(this.#get({what: "export", language})).map(([name, bytes]) => [name, bytes.slice()]));
  }
  close() { this.#ask = null; }
}

// options.wasm: the engine's bytes or compiled module, instead of those beside this file.
export async function load(options = {}) {
  const given = options.wasm ?? await fetch_engine(new URL("qdot.wasm", import.meta.url).href);
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  let answer = null;
  const engine = await qdot_engine({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(module, imports).then(instance => receive(instance, module));
      return {};
    },
    send: buffer => { answer = decode(buffer); },
  });
  const put = text => {
    const bytes = new TextEncoder().encode(text), at = engine._malloc(bytes.length + 1);
    if (!at) throw new Error("there is not enough memory");
    engine.HEAPU8.set(bytes, at);
    engine.HEAPU8[at + bytes.length] = 0;
    return at;
  };
  const ask = ({what, text, set = [], to = 0, every = 0, language = ""}) => {
    const places = [what, text, set.join("\n"), language].map(put);
    answer = null;
    engine._site_module(places[0], places[1], places[2], to, every, places[3]);
    places.forEach(place => engine._free(place));
    return answer;
  };
  return {
    open(text, {files = {}} = {}) {
      for (const [name, bytes] of Object.entries(files)) engine.FS.writeFile("/" + name, bytes);
      return new Model(ask, text);
    },
  };
}
