/** Formats Unix milliseconds as a UTC date and time, like the log. */
export function time(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

// deno-lint-ignore no-control-regex -- control characters must not reach the terminal
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;

/** Returns text without the control characters that a terminal would obey. */
export const printable = (text: string): string => text.replace(CONTROL, " ");

/** Formats rows as a table. Columns without any value are omitted. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printable));
  const shown = head.map((_, column) => clean.some((row) => row[column] !== ""));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...clean.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    cells.flatMap((cell, column) => shown[column] ? [cell.padEnd(widths[column]!)] : []).join("  ").trimEnd();
  return [head, ...clean].map(line).join("\n");
}
