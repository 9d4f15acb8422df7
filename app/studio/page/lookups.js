// Chapters that are computed when somebody opens them, and anew while they are open.
import {bytes} from "./wire.js";

// kinds: [[kind, title]]; ask(kind): the server's answer to an export of that kind.
export function make_lookups(box, kinds, ask) {
  const chapters = kinds.map(([kind, title]) => {
    const chapter = document.createElement("details"), summary = document.createElement("summary"), heading = document.createElement("h2"), said = document.createElement("pre");
    chapter.className = "chapter";
    chapter.dataset.lookup = kind;
    heading.textContent = title;
    summary.append(heading);
    chapter.append(summary, said);
    let is_asked = false, is_due = false;
    const look = async () => {
      if (!chapter.open) return;
      if (is_asked) return void (is_due = true);
      is_asked = true;
      const answer = await ask(kind), section = Object.values(answer.sections ?? {})[0];
      const words = section ? new TextDecoder().decode(bytes(section)) : answer.diagnostics?.at(-1)?.text ?? answer.why ?? "nothing was found";
      if (said.textContent !== words) said.textContent = words;
      is_asked = false;
      if (is_due) is_due = false, look();
    };
    chapter.addEventListener("toggle", look);
    return {chapter, look};
  });
  box.append(...chapters.map(one => one.chapter));
  return {renew() { for (const one of chapters) one.look(); }};
}
