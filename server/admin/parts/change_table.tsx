import type { VNode } from "preact";
import type { AuditChange } from "../../platform/audit/changes.ts";
import { Table } from "./table.tsx";
import { settingTitle } from "../frame/setting_title.ts";

/** Changed settings, each with its value before and after. @param titles of the two columns with values */
export function ChangeTable(
  { changes, titles: [before, after] = ["Before", "After"] }: {
    changes: readonly AuditChange[];
    titles?: readonly [before: string, after: string];
  },
): VNode {
  return (
    <Table
      caption="Changed values"
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { title: "Changed", cell: ({ path }) => <span title={path}>{settingTitle(path)}</span> },
        { title: before, cell: ({ before, secret }) => secret ? "not shown" : shownValue(before) },
        { title: after, cell: ({ after, secret }) => secret ?? shownValue(after) },
      ]}
    />
  );
}

/** Returns the value of a change in words. */
export function shownValue(value: string | undefined): string {
  if (value === undefined) return "not set";
  return value === "" ? "empty" : value;
}
