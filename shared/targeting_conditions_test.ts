import assert from "node:assert/strict";
import { DAYS } from "./targeting.ts";
import { holds, VISIT } from "./testing/visit.ts";

Deno.test("paths are compared by segments, with * for any one, and as text with contains", () => {
  const path = (match: "is" | "starts" | "contains", value: string, path: string) =>
    holds({ kind: "path", match, value }, { path });
  assert.ok(path("is", "/blog/*", "/blog/tea"));
  assert.ok(path("is", "/Blog/gr%C3%BCn", "/blog/Grün.html"));
  assert.ok(path("is", "/", "/"));
  assert.ok(!path("is", "/", "/blog"));
  assert.ok(!path("is", "/blog", "/blog/tea"));
  assert.ok(!path("is", "/blog/tea", "/blog"));
  assert.ok(path("starts", "/blog/*", "/blog/tea/green"));
  assert.ok(path("starts", "/blog", "/blog"));
  assert.ok(!path("starts", "/blog/*", "/blog"));
  assert.ok(!path("starts", "/blog", "/blogs"));
  assert.ok(path("contains", "Sale", "/summer-sale-2030"));
  assert.ok(path("contains", "/sale/", "/de/sale"));
  assert.ok(path("contains", ".html", "/de/sale.html"));
  assert.ok(path("is", "/sale", "/sale.html"));
  assert.ok(!path("is", "/docs/v1.5", "/docs/v1.9"));
  assert.ok(!path("contains", "*", "/sale"));
  assert.ok(path("contains", "%", "/100%"));
});

Deno.test("query and UTM parameters are compared without case, and any one of the same name is enough", () => {
  assert.ok(holds({ kind: "query", name: "color", match: "is", value: "blue" }));
  assert.ok(!holds({ kind: "query", name: "Color", match: "is", value: "blue" }));
  assert.ok(holds({ kind: "utm", name: "campaign", match: "is", value: "spring" }));
  assert.ok(holds({ kind: "utm", name: "campaign", match: "starts", value: "SPR" }));
  assert.ok(holds({ kind: "utm", name: "source", match: "contains", value: "ew" }));
  assert.ok(!holds({ kind: "utm", name: "medium", match: "contains", value: "" }));
  assert.ok(holds({ kind: "utm", name: "medium", match: "contains", value: "", not: true }));
});

Deno.test("a parameter exists with any value, and without one only in the page's URL", () => {
  const exists = { match: "exists", value: "" } as const;
  const source = { kind: "utm", name: "source", ...exists } as const;
  assert.ok(holds(source));
  assert.ok(!holds({ ...source, not: true }));
  assert.ok(!holds(source, { utm: "utm_campaign=spring&referrer=https://news.example" }));
  assert.ok(holds({ ...source, not: true }, { utm: "" }));
  assert.ok(holds({ kind: "query", name: "color", ...exists }));
  assert.ok(holds({ kind: "query", name: "vip", ...exists }, { search: "?vip" }));
  assert.ok(!holds({ kind: "query", name: "vip", ...exists }));
});

Deno.test("any UTM parameter of the visit is one condition, and the linking site is none", () => {
  const any = { kind: "utm", name: "any", match: "exists", value: "" } as const;
  for (
    const utm of ["utm_source=news", "utm_campaign=spring", "utm_term=tea&referrer=https://news.example"]
  ) {
    assert.ok(holds(any, { utm }), utm);
    assert.ok(!holds({ ...any, not: true }, { utm }), utm);
  }
  for (const utm of ["", "referrer=https://news.example"]) assert.ok(!holds(any, { utm }), utm);
  assert.ok(holds({ ...any, match: "is", value: "Spring" }, { utm: "utm_source=news&utm_campaign=spring" }));
  assert.ok(!holds({ ...any, match: "is", value: "tea" }, { utm: "utm_source=news&utm_campaign=spring" }));
});

Deno.test("a referrer includes its subdomains, and * is any one label", () => {
  for (const value of ["google.de", "www.google.de", "google.*", "GOOGLE.DE"]) {
    assert.ok(holds({ kind: "referrer", value }), value);
  }
  for (const value of ["oogle.de", "google.com", "a.www.google.de", "*.google.*.de"]) {
    assert.ok(!holds({ kind: "referrer", value }), value);
  }
  assert.ok(!holds({ kind: "referrer", value: "google.de" }, { referrer: "" }));
  assert.ok(!holds({ kind: "referrer", value: "*" }, { referrer: "" }));
});

Deno.test("width, pages and the cart's total are below a number or at least that number", () => {
  assert.ok(holds({ kind: "width", match: "below", value: 391 }));
  assert.ok(!holds({ kind: "width", match: "below", value: 390 }));
  assert.ok(holds({ kind: "width", match: "atLeast", value: 390 }));
  assert.ok(holds({ kind: "pages", match: "atLeast", value: 2 }));
  assert.ok(!holds({ kind: "pages", match: "atLeast", value: 3 }));
  assert.ok(holds({ kind: "cartTotal", match: "below", value: 50 }));
  assert.ok(holds({ kind: "cartTotal", match: "below", value: 50 }, { cart: undefined }));
  assert.ok(!holds({ kind: "cartTotal", match: "atLeast", value: 50 }));
});

Deno.test("a language includes its regions, a visitor is new or returning, and an item is found by ID or name", () => {
  assert.ok(holds({ kind: "language", value: "de" }));
  assert.ok(holds({ kind: "language", value: "de-at" }));
  assert.ok(!holds({ kind: "language", value: "de" }, { language: "den" }));
  assert.ok(!holds({ kind: "language", value: "de-AT" }, { language: "de" }));
  assert.ok(holds({ kind: "visitor", value: "returning" }));
  assert.ok(!holds({ kind: "visitor", value: "new" }));
  assert.ok(holds({ kind: "cartItem", match: "is", value: "SKU-1" }));
  assert.ok(holds({ kind: "cartItem", match: "contains", value: "tea" }));
  assert.ok(!holds({ kind: "cartItem", match: "is", value: "tea" }));
  assert.ok(!holds({ kind: "cartItem", match: "contains", value: "" }, { cart: undefined }));
});

Deno.test("hours are those of the offset that applies, and those after midnight belong to the day before", () => {
  const HOUR = 3_600_000;
  const summer = Date.UTC(2030, 2, 31, 1);
  const winter = Date.UTC(2030, 9, 27, 1);
  const time = (days: (typeof DAYS)[number][], from: string, to: string, now = VISIT.now) =>
    holds({
      ...{ kind: "time", days, from, to, timeZone: "Europe/Berlin" },
      offsets: [[0, HOUR], [summer, 2 * HOUR], [winter, HOUR]],
    }, { now });
  assert.ok(time(["fri"], "22:30", "23:00"));
  assert.ok(!time(["fri"], "21:00", "22:30"), "the end is exclusive");
  assert.ok(!time(["thu", "sat"], "00:00", "00:00"));
  assert.ok(time(["fri"], "00:00", "00:00"));
  assert.ok(time(["fri"], "22:00", "06:00", VISIT.now + 3 * HOUR), "Saturday, 01:30");
  assert.ok(!time(["sat"], "22:00", "06:00", VISIT.now + 3 * HOUR));
  assert.ok(!time(["fri"], "22:00", "06:00", VISIT.now + 8 * HOUR));
  const sunday = VISIT.now + 48 * HOUR;
  assert.ok(time(["sun"], "20:00", "02:00", sunday + 3 * HOUR), "Monday, 01:30");
  assert.ok(time(["sun"], "01:59", "02:00", summer - 1));
  assert.ok(time(["sun"], "03:00", "03:01", summer), "the clock skips from 2 to 3");
  assert.ok(time(["sun"], "02:59", "03:00", winter - 1));
  assert.ok(time(["sun"], "02:00", "02:01", winter), "the clock goes back from 3 to 2");
  assert.ok(time(["fri"], "22:30", "22:31", Date.UTC(2030, 6, 5, 20, 30)));
  assert.ok(time(["tue"], "12:00", "12:01", Date.UTC(2041, 0, 1, 11)), "the last offset goes on");
});
