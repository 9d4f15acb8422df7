// One line each: how far the motion can be trusted, and the small vibrations.
import {number_text} from "./numbers.js";

const tiny = value => value === null || value === undefined ? "" : value === 0 ? "0" : value.toExponential(0).replace("e", "·10^").replace("^-", "⁻").replace("^+", "^")
  .replace(/([⁻^])(\d+)$/, (_, sign, digits) => (sign === "⁻" ? "⁻" : "") + [...digits].map(d => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join(""));

// The certificate as a line that opens.
export function show_certificate(box, {certificate: c, measures}) {
  const parts = [`${c.method}, rtol ${tiny(c.rtol)}`];
  if (c.energy !== null) parts.push(`energy balance ${tiny(c.energy)}`);
  if (c.position) parts.push(`joints closed to ${tiny(c.position)}`);
  parts.push(`${c.steps} steps in ${number_text(1000 * c.seconds, 2)} ms`);
  const [summary, pre] = [box.querySelector("summary"), box.querySelector("pre")];
  const is_bad = c.stop || c.energy > 1e-3;
  box.classList.toggle("bad", Boolean(is_bad));
  summary.textContent = (is_bad ? "not to be trusted: " : "") + parts.join(" · ");
  box.whole = () => (c.text ?? "") + measures.map(m => `${m.name} = ${m.value === null ? "–" : number_text(m.value, 6)} ${m.unit}\n`).join("");
  box.ontoggle = () => { if (box.open) pre.textContent = box.whole(); };
  box.ontoggle();
}

const KINDS = ["rigid", "oscillation", "exponential"];

function describe(mode) {
  if (KINDS[mode.kind] === "rigid") return "rigid";
  if (KINDS[mode.kind] === "exponential") return `${mode.re > 0 ? "grows" : "decays"}, s = ${number_text(mode.re)} 1/s`;
  const damping = Math.abs(mode.damping) > 1e-9 ? `, damping ${number_text(100 * mode.damping, 3)} %` : "";
  return `${number_text(mode.hz)} Hz${damping}`;
}

// play(number of the mode); playing: the one that is shown, or null; without_motors: to ask what would vibrate
// without them, or null where there are none; find_stable: to look for a stable point; show_locus: over a parameter.
export function show_modes(box, {modes, stability, why}, {play, playing, without_motors, find_stable, show_locus}) {
  const now = JSON.stringify([modes, stability, why, playing, Boolean(without_motors)]);
  if (box.dataset.now === now) return;
  box.dataset.now = now;
  const head = document.createElement("span");
  head.textContent = why && without_motors ? "a motor drives it: nothing is free to vibrate" : why ? `no small vibrations: ${why}` : `small vibrations: ${stability}`;
  const buttons = modes.map((mode, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = describe(mode);
    button.title = `s = ${number_text(mode.re)} ${mode.im ? "± " + number_text(mode.im) + "i " : ""}1/s`;
    button.setAttribute("aria-pressed", String(i === playing));
    button.addEventListener("click", () => play(i));
    return button;
  });
  const offer = (words, act) => buttons.push(Object.assign(document.createElement("button"), {type: "button", className: "offer", textContent: words, onclick: act}));
  if (why && without_motors) offer("frequencies without the motor", without_motors);
  if (stability?.startsWith("unstable")) offer("about a stable position", find_stable);
  if (modes.length) offer("over a parameter …", show_locus);
  box.replaceChildren(head, ...buttons);
}
