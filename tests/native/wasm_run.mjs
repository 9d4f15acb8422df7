// Runs the modules that test_wasm wrote: node wasm_run.mjs FILE.
import {readFileSync} from "node:fs";

const bytes = readFileSync(process.argv[2]);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const memory = new WebAssembly.Memory({initial: 64}), table = new WebAssembly.Table({initial: 1, element: "anyfunc"});
let at = 0, compared = 0, trapped = 0, wrong = 0;

const number = () => view.getUint32((at += 4) - 4, true);
const double = () => view.getFloat64((at += 8) - 8, true);
const bits = new BigUint64Array(memory.buffer), values = new Float64Array(memory.buffer);

function same(place, expected) {
  if (Number.isNaN(expected)) return Number.isNaN(values[place]);
  return Object.is(values[place], expected);
}

while (at < bytes.length) {
  const lanes = number(), size = number(), inputs = number(), prologue = number(), work = number(), outputs = number();
  const module = new WebAssembly.Module(bytes.subarray(at, at += size));
  const run = new WebAssembly.Instance(module, {m: {memory, table}}).exports.run;
  const inAt = 0, workAt = inAt + inputs * lanes, outAt = workAt + work, end = outAt + outputs * lanes;
  for (let i = 0; i <= end; i++) bits[i] = 0x7ff8dead00000000n;
  for (let i = 0; i < inputs * lanes; i++) values[inAt + i] = double();
  for (let i = 0; i < prologue * lanes; i++) values[workAt + i] = double();
  const expected = Array.from({length: outputs * lanes}, double);
  try {
    run(8 * inAt, 8 * outAt, 8 * workAt);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    trapped++; // the exact function of C
    continue;
  }
  compared++;
  for (let i = 0; i < expected.length; i++)
    if (!same(outAt + i, expected[i]) && wrong++ < 5)
      console.error(`${lanes} lanes: output ${i} is ${values[outAt + i]}, expected ${expected[i]}`);
  if (bits[end] !== 0x7ff8dead00000000n && wrong++ < 5) console.error("it writes behind its outputs");
}
if (compared < trapped) console.error(`${compared} compared, ${trapped} trapped`);
process.exit(wrong || compared < trapped ? 1 : 0);
