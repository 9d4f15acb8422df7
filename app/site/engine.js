// The engine's worker: takes requests in their order; answers and the end of each go to the page.
// The page sends {module, files} first.
let engine = null;

const say = (kind, rest = {}, transfer = []) => postMessage({kind, ...rest}, transfer);

function write_files(files) {
  for (const [name, bytes] of Object.entries(files ?? {})) engine.FS.writeFile("/" + name, bytes);
}

async function begin({module, files}) {
  engine = await qdot_engine({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(module, imports).then(instance => receive(instance, module), error => say("crashed", {why: String(error)}));
      return {};
    },
    send: buffer => say("answer", {buffer}, [buffer]),
    print: text => console.log(text),
    printErr: text => console.warn(text),
  });
  write_files(files);
  say("ready");
}

function take(request) {
  const bytes = new TextEncoder().encode(request), at = engine._malloc(bytes.length + 1);
  engine.HEAPU8.set(bytes, at);
  engine.HEAPU8[at + bytes.length] = 0;
  engine._site_take(at, bytes.length);
  engine._free(at);
}

self.onmessage = async ({data}) => {
  try {
    if (data.module) await begin(data);
    else if (data.files) write_files(data.files);
    else take(data.request), say("finished", {memory: engine.HEAPU8.length});
  } catch (error) {
    // memory is over, the stack is, or we are at fault: the instance cannot be used again
    say("crashed", {why: String(error?.message ?? error)});
  }
};
