// A slider for every number of the text that can be moved.
import {find_numbers, number_text} from "./numbers.js";

function make(tag, members = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(members))
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// From -1 .. 1 to a value: by factors up to 4; angles around their value, zeros around 0.
function scale_of(number) {
  if (number.unit === "deg") return {value: s => number.value + 180 * s, slide: v => (v - number.value) / 180};
  if (number.value === 0) return {value: s => s, slide: v => v};
  return {value: s => number.value * 4 ** s, slide: v => v / number.value > 0 ? Math.log(v / number.value) / Math.log(4) : 0};
}

const pretty = unit => unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/\*/g, " ").replace(/^deg$/, "°");

// move(name, value, is_final); point(name or null); sweep(name).
export function make_sliders(box, {move, point, sweep}) {
  let rows = new Map(), names = "", moving = null;

  const make_row = number => {
    let scale = scale_of(number);
    const label = `${number.name}${number.unit ? " in " + number.unit : ""}`;
    const slide = make("input", {type: "range", min: -1, max: 1, step: 0.002, "aria-label": label, "data-s": number.name});
    const value = make("input", {type: "text", inputmode: "decimal", "aria-label": `${label}, value`});
    const row = make("div", {class: "slider", "data-s": number.name}, make("span", {class: "who", title: label}, number.name), slide, value,
                     make("span", {class: "unit"}, pretty(number.unit)),
                     make("button", {type: "button", class: "sweep", title: `what the curves reach while ${number.name} varies`, "aria-label": `sweep ${number.name}`, onclick: () => sweep(number.name)}, "≈"));
    slide.value = 0;
    value.value = number.text;
    slide.addEventListener("input", () => {
      moving = number.name;
      move(number.name, scale.value(Number(slide.value)), false);
    });
    slide.addEventListener("change", () => {
      moving = null;
      move(number.name, null, true);
    });
    value.addEventListener("change", () => {
      const wanted = Number(value.value.replace(",", "."));
      if (Number.isFinite(wanted) && value.value.trim()) move(number.name, wanted, false), move(number.name, null, true);
      else value.value = number.text;
    });
    row.addEventListener("pointerenter", () => point(number.name));
    row.addEventListener("pointerleave", () => point(null));
    const put = now => {
      const is_other = now.text !== number.text;
      if (value.value !== now.text) value.value = now.text;
      if (moving === number.name || (!is_other && slide.value === "0")) return;
      number = now, scale = scale_of(now);
      slide.value = 0;
    };
    return {row, put};
  };

  return {
    follow(text) {
      const numbers = find_numbers(text), now = numbers.map(n => `${n.name} ${n.unit}`).join("\n");
      if (now !== names) {
        names = now;
        rows = new Map(numbers.map(n => [n.name, make_row(n)]));
        const parts = ["parameters", "parts", "start", "places"].map(title => [title, numbers.filter(n => n.group === title)])
          .filter(([, list]) => list.length)
          .map(([title, list]) => make("section", {}, make("h3", {}, title), ...list.map(n => rows.get(n.name).row)));
        box.replaceChildren(...parts);
      }
      for (const number of numbers) rows.get(number.name).put(number);
    },
    number_text,
  };
}
