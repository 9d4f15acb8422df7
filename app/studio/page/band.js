// A sweep of one number, drawn as a band: what the curves reach while it takes all its values.
import {SampledRun} from "./sampled_run.js";
import {numbers_of} from "./wire.js";

const RUNS = 11, TIMES = 300;

// ask(text): the motion of another text; texts: one for every value. null where the curves are others.
export async function sweep_band(run, texts, ask) {
  const times = Float64Array.from({length: TIMES}, (_, i) => run.begin + (run.end - run.begin) * i / (TIMES - 1));
  const n = run.width - run.layout.curves, low = [], high = [];
  for (let i = 0; i < n; i++) low.push(new Float64Array(TIMES).fill(Infinity)), high.push(new Float64Array(TIMES).fill(-Infinity));
  let count = 0;
  for (const text of texts) {
    const answer = await ask(text);
    if (answer.do !== "ran" || answer.width !== run.width) continue;
    const other = new SampledRun(numbers_of(answer), answer.rows, answer.width, answer.view.layout);
    count++;
    for (let k = 0; k < TIMES && times[k] <= other.end; k++)
      other.curve_numbers(other.at(times[k])).forEach((v, i) => {
        low[i][k] = Math.min(low[i][k], v), high[i][k] = Math.max(high[i][k], v);
      });
  }
  return count > 1 ? {times, low, high, count} : null;
}

// Values from one end to the other of what is swept.
export const sweep_values = (value, unit) => Array.from({length: RUNS}, (_, i) => {
  const s = 2 * i / (RUNS - 1) - 1;
  return unit === "deg" ? value + 45 * s : value === 0 ? 0.25 * s : value * 2 ** (s / 2);
});
