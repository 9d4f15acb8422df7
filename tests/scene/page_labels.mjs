// Where the page puts labels against where pictures put them: node page_labels.mjs PAGE-FOLDER CASES.json
import {readFileSync} from "node:fs";

const [folder, file] = process.argv.slice(2);
const sources = ["camera.js", "shapes.js", "labels.js"].map(name => readFileSync(`${folder}/${name}`, "utf8"));
const near = (a, b) => Math.abs(a[0] - b[0]) < 1e-6 && Math.abs(a[1] - b[1]) < 1e-6;
let checked = 0;
for (const {shapes, hinges, labels, view, pose, q, placed} of JSON.parse(readFileSync(file, "utf8"))) {
  const data = {scene: {shapes, hinges, is_spatial: false}, labels};
  const page = new Function("data", `${sources.join("\n")}; return {Camera, lay_labels};`)(data);
  const camera = Object.assign(Object.create(page.Camera.prototype), view, {footer: 22});
  const there = page.lay_labels(labels, camera, q, pose, label => label.width);
  labels.forEach((label, i) => {
    const one = there.find(p => p.label === label), wanted = placed[i];
    if (!one !== !wanted) throw new Error(`${label.name} is ${one ? "" : "not "}on the page`);
    if (one && !near(one.box.centre, wanted)) throw new Error(`${label.name} at ${one.box.centre} instead of ${wanted}`);
    checked++;
  });
}
if (checked < 100) throw new Error("few labels");
console.log(`${checked} labels`);
