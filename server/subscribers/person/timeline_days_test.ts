import assert from "node:assert/strict";
import type { TimelineEntry } from "./timeline.ts";
import { timelineDays } from "./timeline_days.ts";

const entry = (time: string, kind: TimelineEntry["kind"], title: string, detail?: string): TimelineEntry => ({
  at: Date.parse(time),
  kind,
  title,
  tone: "plain",
  ...(detail !== undefined && { detail }),
});
/** Returns the days with the titles of their items, and the technical details. */
const shown = (entries: TimelineEntry[], zone = "UTC") =>
  timelineDays(entries, zone).map((
    { day, items },
  ) => [day, items.map(({ title, technical }) => [title, ...technical])]);

Deno.test("a timeline is grouped by day in the site's zone, with the newest first", () => {
  const entries = [
    entry("2026-03-28T22:30:00Z", "signup", "first"),
    entry("2026-03-28T23:30:00Z", "admin", "second"),
    entry("2026-03-29T21:30:00Z", "admin", "third"),
    entry("2026-03-29T22:30:00Z", "admin", "fourth"),
  ];
  // In Berlin, 29 March 2026 has 23 hours.
  assert.deepEqual(shown(entries, "Europe/Berlin"), [
    ["2026-03-30", [["fourth"]]],
    ["2026-03-29", [["third"], ["second"]]],
    ["2026-03-28", [["first"]]],
  ]);
  assert.deepEqual(shown([]), []);
});

Deno.test("what one response of the provider has changed is one item, with the technical parts as its details", () => {
  const at = "2026-03-29T10:00:00Z";
  const entries = [
    entry(at, "signup", "Signed up"),
    entry(at, "delivery", "Sent to provider (attempt 1)", "pending"),
    entry(at, "status", "Confirmation pending"),
    entry(at, "list", "List status: pending"),
    entry("2026-03-29T11:00:00Z", "admin", "Status checked manually", "By grace"),
    entry("2026-03-29T11:00:00.100Z", "list", "List status: active"),
    entry("2026-03-29T11:00:00.100Z", "status", "Confirmed", "Found by a manual check."),
  ];
  assert.deepEqual(shown(entries), [["2026-03-29", [
    ["Confirmed", "List status: active"],
    ["Status checked manually"],
    ["Confirmation pending", "Sent to provider (attempt 1): pending", "List status: pending"],
    ["Signed up"],
  ]]]);
});

Deno.test("two attempts stay two items, and the provider's own text is a detail", () => {
  const attempt = (time: string, n: number) => entry(time, "delivery", `Attempt ${n}`, "HTTP 503");
  const entries = [attempt("2026-03-29T10:00:00Z", 1), attempt("2026-03-29T10:00:00.500Z", 2)];
  assert.deepEqual(shown(entries), [["2026-03-29", [["Attempt 2", "HTTP 503"], ["Attempt 1", "HTTP 503"]]]]);
});
