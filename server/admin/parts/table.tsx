import { counted } from "../../platform/words/counted.ts";
import type { ComponentChildren, VNode } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Aligns the column to the right. */
  number?: boolean;
  /** Leaves the column out on phones, where a row then takes one line. Its first column must lead to the details. */
  wideOnly?: boolean;
  /** A column of checkboxes, whose title only screen readers see. */
  pick?: boolean;
  /** On phones, the column is part of a line with the compact columns beside it, and its title stays with its value. */
  compact?: boolean;
}

/**
 * A table, whose first column names each row. On a phone, each row is a card with the column titles beside the values, unless it fits in
 * one line.
 */
export function Table<Row>(
  { caption, columns, rows, keyOf }: {
    /** For screen readers. */
    caption: string;
    columns: Column<Row>[];
    rows: readonly Row[];
    keyOf(row: Row): string;
  },
): VNode {
  const oneLine = columns.some(({ wideOnly }) => wideOnly);
  const few = columns.some(({ compact }) => compact);
  const naming = columns.find(({ pick }) => !pick);
  return (
    <table class={`table${oneLine ? " one-line" : ""}${few ? " few-lines" : ""}`}>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, number, pick }) => (
            <th key={title} scope="col" class={number ? "number" : undefined}>
              {pick ? <span class="hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => {
              const Cell = column === naming ? "th" : "td";
              return (
                <Cell
                  key={column.title}
                  scope={column === naming ? "row" : undefined}
                  data-title={column.title}
                  class={classOf(column)}
                >
                  <div>{column.cell(row)}</div>
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<Row>({ number, wideOnly, pick, compact }: Column<Row>): string | undefined {
  const names = [number && "number", wideOnly && "wide-only", pick && "pick", compact && "compact"];
  return names.filter(Boolean).join(" ") || undefined;
}

/**
 * Says how many rows a page of a list shows, such as "3 jobs" or "50 jobs, and more on the next page".
 *
 * @param noun for one row and for several
 */
export function shownText(count: number, noun: readonly [one: string, many: string], more: boolean): string {
  if (count === 0) return more ? `No ${noun[1]} so far, and more to search` : `No ${noun[1]}`;
  return `${counted(count, ...noun)}${more ? ", and more on the next page" : ""}`;
}

/** Links to the first and next page. The number of pages is unknown, because pages are read from an index. */
export function Pager(
  { first, next, words = { first: "Newest", next: "Older" } }: {
    first?: string | undefined;
    next?: string | undefined;
    words?: { first: string; next: string };
  },
): VNode | null {
  if (!first && !next) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first ? <a class="button" href={first}>{words.first}</a> : <span />}
      {next && <a class="button" href={next} rel="next">{words.next}</a>}
    </nav>
  );
}
