import type { VNode } from "preact";
import { Badge } from "../../server/admin/parts/notice.tsx";
import { Moment } from "../../server/admin/parts/site_time.tsx";
import { type Column, Table } from "../../server/admin/parts/table.tsx";
import type { View } from "../../server/admin/frame/view.ts";

interface Row {
  name: string;
  count: number;
}

const ROWS: Row[] = [{ name: "footer", count: 1284 }, { name: "a-form-with-a-rather-long-name", count: 3 }];
const SELECT: Column<Row> = {
  title: "Select",
  pick: true,
  cell: ({ name }) => (
    <label>
      <input type="checkbox" aria-label={`Select ${name}`} />
    </label>
  ),
};

/** Tables in each of their layouts for phones, and one without rows. */
export function Tables({ view }: { view: View }): VNode {
  const columns: Column<Row>[] = [
    { title: "Text", cell: ({ name }) => <a href={view.href("/parts")}>{name}</a> },
    { title: "Number", number: true, cell: ({ count }) => count.toLocaleString("en") },
    { title: "Time", cell: () => <Moment at={view.now} /> },
    { title: "State", cell: () => <Badge kind="good">active</Badge> },
  ];
  const [first, ...others] = columns;
  const tables: Record<string, { columns: Column<Row>[]; rows?: Row[] }> = {
    "Table": { columns },
    "Table to select rows in, with one line per row on a phone": {
      columns: [SELECT, first!, ...others.map((column) => ({ ...column, wideOnly: true }))],
    },
    "Table with two lines per row on a phone": {
      columns: [first!, ...others.map((column) => ({ ...column, compact: true }))],
    },
    "Table without rows": { columns, rows: [] },
  };
  return (
    <>
      {Object.entries(tables).map(([title, { columns, rows = ROWS }]) => (
        <>
          <h3>{title}</h3>
          <Table key={title} caption={title} rows={rows} keyOf={({ name }) => name} columns={columns} />
        </>
      ))}
    </>
  );
}
