// Small windows: a question, a list of cards.

function open(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
}

function make(tag, members = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, members);
  node.append(...children);
  return node;
}

// A line of text, or null.
export function ask(question, value = "") {
  return new Promise(resolve => {
    const input = make("input", {type: "text", value, ariaLabel: question});
    const form = make("form", {method: "dialog"}, make("label", {}, question, input),
                      make("div", {className: "row"}, make("button", {value: "cancel", type: "button", textContent: "Cancel"}), make("button", {value: "ok", textContent: "OK", className: "main"})));
    const dialog = make("dialog", {}, form);
    form.querySelector("[value=cancel]").onclick = () => dialog.close("cancel");
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "ok" ? input.value.trim() : null));
    open(dialog);
    input.select();
  });
}

// Cards to choose from: [{title, about, value}]; the value, or null.
export function choose(heading, groups) {
  return new Promise(resolve => {
    const dialog = make("dialog", {className: "cards", ariaLabel: heading});
    let chosen = null;
    const card = one => make("button", {type: "button", className: "card", onclick: () => {
      chosen = one.value;
      dialog.close();
    }}, ...(one.picture ? [one.picture] : []), make("strong", {textContent: one.title}), make("span", {textContent: one.about ?? ""}));
    dialog.append(make("h2", {textContent: heading}),
      ...groups.filter(g => g.list.length).flatMap(g => [make("h3", {textContent: g.title}), make("div", {className: "grid"}, ...g.list.map(card))]),
      make("div", {className: "row"}, make("button", {type: "button", textContent: "Close", onclick: () => dialog.close()})));
    dialog.addEventListener("close", () => resolve(chosen));
    open(dialog);
  });
}

// Something to read; picture: an SVG that belongs to it, if there is one.
export function show_text(heading, words, picture) {
  const dialog = make("dialog", {ariaLabel: heading}, make("h2", {textContent: heading}), make("pre", {textContent: words ?? ""}));
  if (picture) dialog.querySelector("h2").after(make("img", {alt: heading, src: `data:image/svg+xml,${encodeURIComponent(picture)}`}));
  dialog.append(make("div", {className: "row"}, make("button", {type: "button", textContent: "Close", onclick: () => dialog.close()})));
  open(dialog);
}

// A sentence for a moment.
export function tell(box, words) {
  box.textContent = words;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { box.textContent = ""; }, 6000);
}
