// ---- `node FILE [END EVERY]` prints results.csv

function csv_name(name) { return name.includes(",") ? `"${name}"` : name; }

async function print_motion() {
  const [end = model.end, every = model.every] = process.argv.slice(2).map(Number);
  const result = simulate({end, every});
  const lines = [result.columns.map(csv_name).join(","), ...result.rows.map(row => row.join(","))];
  process.stdout.write(lines.join("\n") + "\n");
  if (result.stopped) {
    process.stderr.write(result.stopped + "\n");
    process.exitCode = 1;
  }
}

async function is_main() {
  if (typeof process === "undefined" || !process.argv?.[1]) return false;
  const {pathToFileURL} = await import("node:url"), fs = await import("node:fs");
  return import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href;
}
if (await is_main()) await print_motion();
