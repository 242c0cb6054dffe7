import assert from "node:assert/strict";
import type { PageTotal } from "./page_counts.ts";
import { withoutValue } from "./summary.ts";

const total = (dimension: PageTotal["dimension"], value: string, signups: number, confirmed: number) => ({
  form: "footer",
  dimension,
  value,
  signups,
  confirmed,
});

Deno.test("signups without a campaign or linking site are those with a page less those with one", () => {
  const totals: PageTotal[] = [
    total("path", "/", 5, 3),
    total("path", "/blog", 2, 1),
    total("campaign", "spring\t\t", 4, 2),
    { ...total("path", "/", 9, 9), form: "other" },
  ];
  assert.deepEqual(withoutValue(totals, "campaign", "footer"), { signups: 3, confirmed: 2 });
  assert.deepEqual(withoutValue(totals, "referrer", undefined), { signups: 16, confirmed: 13 });
  assert.deepEqual(withoutValue(totals, "path", undefined), { signups: 0, confirmed: 0 });
});
