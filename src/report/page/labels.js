// ---- What names the symbols in the drawing, and what pushes at its joints

function draw_forces() {}
function draw_labels() {}
