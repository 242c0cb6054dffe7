import assert from "node:assert/strict";
import { postedBy } from "../../../dev/testing/in_worker.ts";
import { DOCTOR_READERS, PROVIDER_READERS } from "../doctor/outside.ts";
import { CHECKS } from "./registry.ts";
import { READERS, type Values } from "./values.ts";

type Shown = { id: string; level?: string; tone?: string; what: string; todo: string };
/** Where the problem of a check is found that is only a declaration in `CHECKS`. */
interface Found {
  alerts: Shown[];
  doctor: Shown[];
  start: { fields: { message: string } }[];
  connection: Shown[];
  pages: string[];
}

Deno.test("a check that is declared once is an alert, a finding of the doctor, a warning at the start, a result of the connection test, and on pages", async () => {
  const found = await postedBy<Found>(new URL("./testing/added_check.ts", import.meta.url));
  for (const place of ["alerts", "doctor", "connection"] as const) {
    const shown = found[place].find(({ id }) => id === "carts.cold");
    assert.deepEqual([place, shown?.what, shown?.todo], [place, "The carts are cold.", "Warm them up."]);
    assert.equal(shown!.level ?? shown!.tone, place === "alerts" ? "bad" : "error");
  }
  assert.deepEqual(found.start.map(({ fields }) => fields.message), ["The carts are cold. Warm them up."]);
  for (const html of found.pages) assert.match(html, /The carts are cold\./);
});

Deno.test("every check reads only what the places can read in which it counts", () => {
  const read = {
    overview: Object.keys(READERS),
    alert: Object.keys(READERS),
    start: [...Object.keys(READERS), "environment", "files"],
    doctor: Object.keys(DOCTOR_READERS),
    connection: Object.keys(PROVIDER_READERS),
    ready: ["database", "active", "traffic"],
    pages: ["config", "settings", "providers", "capabilities", "shop", "lists", "webhook"],
  };
  for (const { id, in: places, reads } of CHECKS) {
    for (const place of Object.keys(places) as (keyof typeof read)[]) {
      const unread = reads.filter((name: keyof Values) => !read[place].includes(name));
      assert.deepEqual([id, place, unread], [id, place, []]);
    }
  }
});
