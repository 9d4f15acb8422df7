// The page's own teeth against those of the pictures: node page_teeth.mjs PAGE-FOLDER CASES.json
import {readFileSync} from "node:fs";

const [folder, file] = process.argv.slice(2);
const sources = ["camera.js", "shapes.js", "teeth.js"].map(name => readFileSync(`${folder}/${name}`, "utf8"));
const near = (a, b, size) => Math.abs(a - b) <= 1e-9 * size;
let checked = 0;
for (const {shapes, poses, wheels} of JSON.parse(readFileSync(file, "utf8"))) {
  const page = new Function("data", `${sources.join("\n")}; return {gears_of, teeth_phase, teeth_are_visible, outline_of_teeth};`)({scene: {shapes}});
  const gears = page.gears_of(poses[0]);
  wheels.forEach(({shape, pose, teeth, phase, outline}) => {
    const own = shapes[shape], is = page.teeth_phase(own, poses[pose], gears), off = (is - phase) / (2 * Math.PI / teeth);
    if (gears.get(own).teeth !== teeth) throw new Error(`${gears.get(own).teeth} teeth instead of ${teeth}`);
    if (!near(off, Math.round(off), 1e3)) throw new Error(`a tooth at ${is} instead of ${phase}`);
    const points = page.outline_of_teeth({n: teeth, radius: 100, phase}, [7, 9], 1.25, 1);
    if (points.length !== outline.length) throw new Error("other outlines");
    points.forEach(([x, y], i) => {
      if (!near(x, outline[i][0], 100) || !near(y, outline[i][1], 100)) throw new Error(`${x}, ${y} instead of ${outline[i]}`);
    });
    checked++;
  });
  // all lengths twice as large: the same teeth
  const twice = poses[0].map((value, i) => shapes.some(s => s.radius === i) ? 2 * value : value);
  const again = page.gears_of(twice);
  shapes.filter(s => s.teeth > 1).forEach(s => {
    if (again.get(s).teeth !== s.teeth) throw new Error("another number of teeth on wheels that grow alike");
  });
  // one wheel with one more tooth: its radius says so
  const wheel = shapes.find(s => s.teeth > 1), grown = poses[0].slice();
  const is_whole = shapes.filter(s => s.teeth > 1).length > 1 && shapes.every(s => !(s.teeth > 1) || Math.abs(s.pitch - wheel.pitch) < 1e-9 * s.pitch);
  grown[wheel.radius] *= (wheel.teeth + 1) / wheel.teeth;
  if (is_whole && page.gears_of(grown).get(wheel).teeth !== wheel.teeth + 1) throw new Error("the tooth is not counted");
}
console.log(`${checked} wheels`);
