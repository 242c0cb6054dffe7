import assert from "node:assert/strict";
import { counted } from "../../platform/words/counted.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import type { Note } from "../../platform/observe/counters.ts";
import { REASONS } from "./overview_drops.ts";

const DAY_MS = 86_400_000;
const settings = { general: { projectId: "p" }, forms: { forms: [{ name: "footer" }] } };

/** Cells of a table's rows, as text. */
function rowsOf(html: string, caption: string): string[][] {
  const table = html.slice(html.indexOf(caption)).split("</table>")[0]!;
  return table.split("<tr>").slice(2).map((row) =>
    row.split(/<td|<th(?= scope="row")/).slice(1).map((cell) =>
      cell.slice(cell.indexOf(">") + 1).replace(/<[^>]*>/g, "").trim()
    )
  );
}

Deno.test("the chart and its table show the same numbers for every day", async () => {
  await using app = await adminHarness({ settings });
  const { counters } = app.services;
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i <= day; i++) counters.count("footer", "accepted");
    for (let i = 0; i < 5; i++) counters.note("seen", "footer");
    counters.note("confirmed.webhook", "footer");
    if (day < 2) await app.clock.advance(DAY_MS);
  }
  const admin = await app.signIn();
  const { html } = await admin.page("/overview?days=7");
  const rows = rowsOf(html, "Table of views, signups and confirmations by day: all forms");
  assert.deepEqual(rows.map(([, ...numbers]) => numbers.join(" ")), [
    "5 3 1",
    "5 2 1",
    "5 1 1",
    ...Array(4).fill("0 0 0"),
  ]);
  for (const [day, seen, accepted, confirmed] of rows) {
    const date = day!.replace(" (so far)", "");
    assert.ok(
      html.includes(`${date}: ${seen} views, ${counted(Number(accepted), "signup")}, ${confirmed} confirmed`),
      date,
    );
  }
  assert.deepEqual(rowsOf(html, "by form in the last 7 days"), [[
    "footer",
    "15",
    "6",
    "3",
    "40%",
  ]]);
});

Deno.test("every counted reason has a title and advice, and the most frequent comes first", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  const { counters } = app.services;
  for (const [index, entry] of Object.keys(REASONS).entries()) {
    for (let i = 0; i <= index; i++) {
      if (entry.startsWith("note.")) {
        counters.note(entry.slice("note.".length) as Note);
      } else counters.count("footer", entry as Parameters<typeof counters.count>[1]);
    }
  }
  const { html } = await admin.page("/overview");
  const rows = rowsOf(html, "Reasons, counts and what to do");
  const counts = rows.map(([, count]) => Number(count));
  assert.deepEqual(counts, Object.keys(REASONS).map((_, index) => index + 1).toReversed());
  assert.ok(rows.every(([what, , share, todo]) => what && /%$/.test(share!) && todo!.length > 20));
});

Deno.test("a dropped request is listed at once, and counted as neither view nor signup", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  await (await app.post({ email: "ann@example.com", cfbe_hp: "x" })).body?.cancel();
  const { html } = await admin.page("/overview");
  assert.deepEqual(rowsOf(html, "Reasons, counts").map(([what, count]) => [what, count]), [
    [REASONS["dropped.honeypot"].title, "1"],
  ]);
  assert.match(html, /No data for this period/);
});

Deno.test("the Overview needs the same number of reads, however much was counted", async () => {
  const readsAfter = async (requests: number) => {
    await using app = await adminHarness({ settings });
    const admin = await app.signIn();
    for (let i = 0; i < requests; i++) app.services.counters.count("footer", "accepted");
    await app.services.counters.flush();
    app.reset();
    await admin.page("/overview?days=90");
    return app.counts.reads;
  };
  assert.equal(await readsAfter(5_000), await readsAfter(1));
});

Deno.test("parameters of the URL are never markup, and invalid ones show all forms and 30 days", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  const { status, html } = await admin.page(
    "/overview?days=%3Cb%3E&form=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
  );
  assert.equal(status, 200);
  assert.doesNotMatch(html, /<script>alert/);
});

Deno.test("a viewer sees the Overview but cannot activate cfbe; an admin can", async () => {
  await using app = await adminHarness({ settings });
  const [admin, viewer] = [await app.signIn(), await app.signIn("viewer")];
  await app.services.activation.deactivate();
  assert.match((await admin.page("/overview")).html, /<button[^>]*>Activate/);
  assert.doesNotMatch((await viewer.page("/overview")).html, /<button[^>]*>Activate/);
  const response = await admin.send("cfbe_activate", { _page: "/overview" });
  assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/overview"]);
  assert.doesNotMatch((await admin.page("/overview")).html, /deactivated/);
});
