import assert from "node:assert/strict";
import { h } from "preact";
import { render } from "preact-render-to-string";
import { Table } from "./table.tsx";

Deno.test("the first column of a table names its rows, also beside checkboxes", () => {
  const html = render(
    Table({
      caption: "Forms",
      rows: ["footer"],
      keyOf: (name) => name,
      columns: [
        { title: "Select", pick: true, cell: () => h("input", { type: "checkbox" }) },
        { title: "Form", cell: (name) => name },
        { title: "Status", cell: () => "Live" },
      ],
    }),
  );
  const cells = html.split("<tbody>")[1]!.matchAll(/<(th scope="row"|td)[^>]* data-title="([^"]*)"/g);
  assert.deepEqual([...cells].map(([, tag, title]) => [tag, title]), [
    ["td", "Select"],
    ['th scope="row"', "Form"],
    ["td", "Status"],
  ]);
});
