/** Unix milliseconds as a person reads them, in UTC: the log's times, so that both can be laid side by side. */
export function time(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** A count with its noun, in the plural where it takes one. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// deno-lint-ignore no-control-regex -- which is what a terminal must not be told to do
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;

/** Columns as wide as their widest entry; a column that is empty throughout is left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => cell.replace(CONTROL, " ")));
  const shown = head.map((_, column) => clean.some((row) => row[column] !== ""));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...clean.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    cells.flatMap((cell, column) => shown[column] ? [cell.padEnd(widths[column]!)] : []).join("  ").trimEnd();
  return [head, ...clean].map(line).join("\n");
}
