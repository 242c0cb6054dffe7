import type { ComponentChildren, VNode } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Numbers stand to the right. */
  number?: boolean;
}

/** Rows under column heads; on a phone each row is a card, with the heads beside the values. */
export function Table<Row>(
  { caption, columns, rows, keyOf }: {
    /** What the table shows, for those who can't see where it stands. */
    caption: string;
    columns: Column<Row>[];
    rows: readonly Row[];
    keyOf(row: Row): string;
  },
): VNode {
  return (
    <table class="table">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, number }) => (
            <th key={title} scope="col" class={number ? "number" : undefined}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, number }) => (
              <td key={title} data-title={title} class={number ? "number" : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links to where a list goes on. Pages are found by index, so there is no telling how many there are. */
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

/** A moment: UTC without script, the reader's own time with it. */
export function Moment({ at }: { at: number }): VNode {
  const iso = new Date(at).toISOString();
  return <time dateTime={iso}>{iso.slice(0, 16).replace("T", " ")} UTC</time>;
}
