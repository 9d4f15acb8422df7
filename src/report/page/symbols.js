// ---- A symbol has the colour of its curve, which is that of its part; none where there are too many

const own_colours = Object.entries(data.colours);
const symbol_colours = new Map(own_colours.length === 0 ? [] : [...own_colours,
  ...data.curves.filter(c => c.symbol).map(c => [c.symbol, c.colour]).reverse()]);

function colour_symbols() {
  const sheet = element("style");
  const write = () => {
    const theme = page_theme(), rules = [];
    for (const [name, colour] of symbol_colours)
      rules.push(`math [data-s="${CSS.escape(name)}"] { color: ${themed(colour, theme)} }`);
    sheet.textContent = `@media screen { ${rules.join("\n")} }`;
  };
  document.head.append(sheet);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", write);
  write();
}
