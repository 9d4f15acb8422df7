// ---- A context whose strokes become SVG: the pose that is shown, for paper

// What brushes ask of a canvas, and no more. width_of: a canvas's own context, which knows how wide letters are.
class VectorContext {
  constructor(measuring) {
    this.measuring = measuring, this.parts = [], this.d = "";
    Object.assign(this, {globalAlpha: 1, lineWidth: 1, strokeStyle: "#000000", fillStyle: "#000000", font: "15px sans-serif", textAlign: "left"});
  }
  beginPath() { this.d = ""; }
  moveTo(x, y) { this.d += `M${x.toFixed(2)} ${y.toFixed(2)}`; }
  lineTo(x, y) { this.d += `L${x.toFixed(2)} ${y.toFixed(2)}`; }
  closePath() { this.d += "Z"; }
  // Whole circles alone: two halves.
  arc(x, y, radius) {
    const r = radius.toFixed(2), across = (2 * radius).toFixed(2);
    this.d += `M${(x - radius).toFixed(2)} ${y.toFixed(2)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0Z`;
  }
  add(tag, attributes, ...text) {
    if (this.globalAlpha < 1) attributes.opacity = this.globalAlpha;
    this.parts.push(element(tag, attributes, ...text));
  }
  stroke() {
    this.add("path", {d: this.d, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linecap": "round", "stroke-linejoin": "round"});
  }
  fill() { this.add("path", {d: this.d, fill: this.fillStyle}); }
  text(words, x, y, paint) {
    const anchor = {left: "start", right: "end", center: "middle"}[this.textAlign] ?? "start";
    this.add("text", {x: x.toFixed(2), y: y.toFixed(2), "text-anchor": anchor, style: `font: ${this.font}`, ...paint}, words);
  }
  fillText(words, x, y) { this.text(words, x, y, {fill: this.fillStyle}); }
  strokeText(words, x, y) {
    this.text(words, x, y, {fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": "round"});
  }
  measureText(words) {
    this.measuring.font = this.font;
    return this.measuring.measureText(words);
  }
}

// On paper the stage is the picture that it shows at that moment, on white.
function print_pose(stage, store) {
  let paper = null;
  const take = () => {
    paper?.remove();
    paper = stage.as_vectors(store.get());
    stage.canvas.after(paper);
  };
  addEventListener("beforeprint", take);
  addEventListener("afterprint", () => { paper?.remove(), paper = null; });
  return {take};
}
