// ---- The stage stays in view: smaller, in the margin or at the upper edge, while the rest of the page is read

function pin_stage(left, stand) {
  const {words} = data, root = document.documentElement;
  let is_wanted = true;
  const close = element("button", {type: "button", class: "unpin", "aria-label": words.UNPIN, title: words.UNPIN,
    onclick: () => { is_wanted = false, settle(); }}, "×");
  left.append(close);
  const settle = () => {
    const {top, bottom, height} = stand.getBoundingClientRect(), is_away = bottom < 0.25 * Math.min(height, innerHeight);
    if (top >= 0) is_wanted = true;
    const is_pinned = is_away && is_wanted;
    if (root.classList.contains("pinned") === is_pinned) return;
    // its place stays as high as it was, so that nothing jumps
    stand.style.height = is_pinned ? `${height}px` : "";
    root.classList.toggle("pinned", is_pinned);
  };
  addEventListener("scroll", settle, {passive: true});
  addEventListener("resize", settle);
  addEventListener("beforeprint", () => root.classList.remove("pinned"));
  settle();
}
const is_pinned = () => document.documentElement.classList.contains("pinned");
