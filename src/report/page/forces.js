// ---- The forces of the joints on the bodies that they hold

function joint_forces(run, state) {
  const numbers = run.force_numbers(state);
  return data.forces.map((_, k) => {
    const [x, y, fx, fy] = numbers.slice(4 * k, 4 * k + 4);
    return {place: [x, y], force: [fx, fy]};
  });
}

function force_arrows(run) { return run.arrows ??= arrows_of(run, state => joint_forces(run, state)); }

// What the stage draws while they are switched on.
function make_forces(store_of) {
  return data.forces && {draw(picture) {
    const {run, show} = store_of().get();
    if (show.forces) force_arrows(run).draw(picture);
  }};
}

// The box that switches them on, and how large the longest one is.
function make_force_toggle(store) {
  const longest = element("span", {class: "longest", role: "status"});
  const box = element("input", {type: "checkbox", onchange: () => store.set({show: {...store.get().show, forces: box.checked}})});
  store.follow(({run, show}, before) => {
    if (run === before.run && show.forces === before.show?.forces) return;
    longest.textContent = show.forces ? `(${data.words.LONGEST.replace("{0}", number_text(force_arrows(run).most, 3))})` : "";
  });
  return element("label", {class: "toggle forces"}, box, data.words.FORCES, longest);
}
