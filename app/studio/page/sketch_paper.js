// The paper of the drawing board: a grid with a scale, and a photograph to trace, which stays in the page.
import {number_text} from "./numbers.js";

// 1, 2 or 5 times a power of ten.
function round_length(rough) {
  const power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

export const grid_step = scale => round_length(14 / scale);

function line(g, points, colour, width) {
  g.strokeStyle = colour, g.lineWidth = width;
  g.beginPath();
  points.forEach(([u, v], i) => i ? g.lineTo(u, v) : g.moveTo(u, v));
  g.stroke();
}

export function draw_grid(g, {w, h, pixel, world, scale}, theme) {
  const step = grid_step(scale), [left, top] = world([0, 0]), [right, bottom] = world([w, h]);
  for (let x = Math.ceil(left / step) * step; x < right; x += step) line(g, [pixel([x, bottom]), pixel([x, top])], theme.grid, Math.abs(x) < step / 2 ? 1.2 : 0.5);
  for (let y = Math.ceil(bottom / step) * step; y < top; y += step) line(g, [pixel([left, y]), pixel([right, y])], theme.grid, Math.abs(y) < step / 2 ? 1.2 : 0.5);
  const length = round_length(90 / scale), y = h - 14;
  line(g, [[14, y - 4], [14, y], [14 + length * scale, y], [14 + length * scale, y - 4]], theme.soft, 1.2);
  g.fillStyle = theme.soft, g.font = "13px system-ui", g.textAlign = "left";
  g.fillText(length < 0.1 ? `${number_text(1000 * length)} mm` : `${number_text(length)} m`, 20 + length * scale, y + 4);
}

// A picture under the grid, as wide as somebody says; it is never sent anywhere.
export function make_photo(redraw) {
  let image = null, place = null;
  return {
    is_there: () => Boolean(image),
    width: () => place?.width ?? 0,
    // Fills the paper that is seen at first.
    async open(file, {left, top, width}) {
      image = await createImageBitmap(file);
      place = {left, top, width};
      redraw();
    },
    set_width(width) {
      if (place && width > 0) place.width = width, redraw();
    },
    close() {
      image?.close();
      image = null;
      redraw();
    },
    draw(g, {pixel, scale}) {
      if (!image) return;
      const [u, v] = pixel([place.left, place.top]), wide = place.width * scale;
      g.globalAlpha = 0.55;
      g.drawImage(image, u, v, wide, wide * image.height / image.width);
      g.globalAlpha = 1;
    },
  };
}
