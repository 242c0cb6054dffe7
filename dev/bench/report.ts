import { FIGURES, goalOf, isMet } from "./figures.ts";

/** The results of one checkout by figure. */
export interface Column {
  label: string;
  results: Map<string, number>;
}

/** Returns the rows of the report: a heading, then one row per measured figure. */
function rowsOf(columns: Column[]): string[][] {
  const keys = Object.keys(FIGURES).filter((key) => columns.some(({ results }) => results.has(key)));
  const rows = keys.map((key) => {
    const figure = FIGURES[key]!;
    const values = columns.map(({ results }) => results.get(key) ?? NaN);
    const met = isMet(figure, values[0]!);
    return [
      figure.name,
      ...values.map((value) => Number.isNaN(value) ? "–" : figure.show(value)),
      goalOf(figure),
      met === undefined ? "" : met ? "met" : "not met",
    ];
  });
  return [["figure", ...columns.map(({ label }) => label), "goal", ""], ...rows];
}

/** Returns the report as text in columns. The goals are judged by the first checkout. */
export function asText(columns: Column[]): string {
  const rows = rowsOf(columns);
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: string[]) =>
    row.map((cell, at) => at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** Returns the report as a Markdown table. */
export function asMarkdown(columns: Column[]): string {
  const [heading, ...rows] = rowsOf(columns);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(heading!), line(heading!.map(() => "---")), ...rows.map(line)].join("\n");
}

/**
 * Replaces what a page has between the markers of this name.
 *
 * @throws {Error} if the page has no such markers
 */
export function withMarked(page: string, name: "figures" | "releases", text: string): string {
  const marks = new RegExp(`(<!-- ${name}:start -->\\n).*(\\n<!-- ${name}:end -->)`, "s");
  if (!marks.test(page)) throw new Error(`the page has no markers for the ${name}`);
  return page.replace(marks, (_, start: string, end: string) => `${start}\n${text}\n${end}`);
}
