// Chapters that are computed when somebody opens them, and anew while they are open.
import {bytes} from "./wire.js";

// kinds: [[kind, title, question]]; ask(kind): the server's answer to an export of that kind; text(): the model's. What a line of
// the model asks has a chapter where there is such a line; accept(text): takes the text with what was found.
export function make_lookups(box, kinds, ask, {text, accept}) {
  const chapters = kinds.map(([kind, title, question]) => {
    const chapter = document.createElement("details"), summary = document.createElement("summary"), heading = document.createElement("h2"), said = document.createElement("pre");
    const take = Object.assign(document.createElement("button"), {type: "button", textContent: "write these values into the text", hidden: true});
    chapter.className = "chapter", chapter.hidden = Boolean(question);
    chapter.dataset.lookup = kind;
    heading.textContent = title;
    summary.append(heading);
    chapter.append(summary, said, take);
    let is_asked = false, is_due = false;
    const look = async () => {
      chapter.hidden = Boolean(question) && !new RegExp(`^\\s*${kind}\\b`, "m").test(text());
      if (!chapter.open || chapter.hidden) return;
      if (is_asked) return void (is_due = true);
      is_asked = true;
      const answer = await ask(kind), section = Object.values(answer.sections ?? {})[0];
      const words = section ? new TextDecoder().decode(bytes(section)) : answer.diagnostics?.at(-1)?.text ?? answer.why ?? "nothing was found";
      if (said.textContent !== words) said.textContent = words;
      const found = answer.sections?.["found.qdot"], with_found = found && new TextDecoder().decode(bytes(found));
      take.hidden = !found || with_found === text();
      take.onclick = () => accept(with_found);
      is_asked = false;
      if (is_due) is_due = false, look();
    };
    chapter.addEventListener("toggle", look);
    return {chapter, look};
  });
  box.append(...chapters.map(one => one.chapter));
  return {renew() { for (const one of chapters) one.look(); }};
}
