// ---- One chip, pinned: how many values were changed, the run as written beside them, the way back

function make_chip(store, {take_back, take_back_all}) {
  const {words} = data, count = element("strong", {role: "status"}), list = element("span", {class: "values"});
  const compare = element("input", {type: "checkbox", onchange: () => store.set({compares: compare.checked})});
  const box = element("aside", {class: "chip", hidden: true, "aria-label": words.CHANGE}, count, list,
    element("label", {class: "toggle"}, compare, words.COMPARE),
    element("button", {type: "button", class: "reset", onclick: take_back_all}, words.RESET));
  const button_of = one => element("button", {type: "button", class: "value", onclick: () => take_back(one),
    title: `${one.name}: ${words.TAKE_BACK}`, "aria-label": `${one.name} = ${one.text} ${one.unit}: ${words.TAKE_BACK}`},
    element("span", {html: math(one.label)}), ` = ${one.text} ${one.unit} `, element("span", {"aria-hidden": "true"}, "×"));
  store.follow((state, before) => {
    compare.checked = state.compares;
    if (state.changed === before.changed) return;
    const n = state.changed.length;
    box.hidden = n === 0;
    count.textContent = n === 0 ? "" : n === 1 ? words.CHANGED_ONE : words.CHANGED.replace("{0}", n);
    list.replaceChildren(...state.changed.map(button_of));
  });
  return box;
}
