/** One line of the report. */
export interface Figure {
  name: string;
  /** Formats a value in the figure's unit. */
  show(value: number): string;
  /** Missing for figures that only explain others. */
  goal?: { atLeast: number } | { above: number } | { atMost: number } | { below: number };
}

const number = (digits: number, unit = "") => (value: number) => {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString("en", options) + unit;
};
const ms = number(0, " ms");
const megabytes = (value: number) => number(1, " MB")(value / 1e6);
const kilobytes = (value: number) => number(1, " kB")(value / 1e3);

/** Every figure by the key under which its benchmark returns it, in the order of the report. */
export const FIGURES: Record<string, Figure> = {
  "accepted.perSecond": {
    name: "signups accepted per second, 64 connections",
    show: number(0),
  },
  "accepted.toFixed": {
    name: "accepted ÷ bare commits of the fixed size",
    show: number(2),
    goal: { atLeast: 1.5 },
  },
  "accepted.toNow": { name: "accepted ÷ bare commits of a signup's present size", show: number(2) },
  "accepted.bareFixed": { name: "bare commits of the fixed size per second", show: number(0) },
  "accepted.written": { name: "bytes written to disk per signup", show: kilobytes },
  "accepted.mutations": { name: "mutations per signup", show: number(0) },
  "accepted.checks": { name: "checks per signup", show: number(0) },
  "accepted.bytes": { name: "bytes per signup's commit, as JSON", show: number(0) },
  "delivered.cpu": {
    name: "CPU time per 1,000 signups, accepted and delivered",
    show: number(2, " s"),
  },
  "delivered.toBare": {
    name: "the same ÷ a bare program with one commit and the same two calls",
    show: number(2),
    goal: { atMost: 1.4 },
  },
  "delivered.p50": { name: "signup to provider at 500 per second, median", show: ms },
  "delivered.p95": { name: "signup to provider at 500 per second, 95th percentile", show: ms },
  "delivered.p99": {
    name: "signup to provider at 500 per second, 99th percentile",
    show: ms,
    goal: { below: 1_000 },
  },
  "delivered.answerP99": {
    name: "responses at the same time, 99th percentile",
    show: ms,
    goal: { below: 150 },
  },
  "delivered.written": { name: "the same, accepted and delivered at 500 per second", show: kilobytes },
  "refused.toAccepted": {
    name: "requests refused by a full limit ÷ accepted",
    show: number(1),
    goal: { atLeast: 10 },
  },
  "refused.perSecond": { name: "requests refused per second", show: number(0) },
  "token.toBare": { name: "form tokens ÷ a bare Hono route", show: number(2), goal: { atLeast: 0.6 } },
  "token.perSecond": { name: "form tokens per second", show: number(0) },
  "neutral.idle": {
    name: "telling two kinds of requests apart by the means of 64 response times, upper bound",
    show: number(3),
    goal: { atMost: 0.53 },
  },
  "neutral.load": { name: "the same, at 60 signups per second", show: number(3), goal: { atMost: 0.53 } },
  "neutral.burst": { name: "the same, in bursts of 400 per second", show: number(3), goal: { atMost: 0.53 } },
  "neutral.after": { name: "the same, between these bursts", show: number(3), goal: { atMost: 0.53 } },
  "neutral.attack": {
    name: "the same, at 60 signups per second in attack mode",
    show: number(3),
    goal: { atMost: 0.53 },
  },
  "memory.growth": {
    name: "growth of the live heap, from the first to the last measurement",
    show: megabytes,
    goal: { atMost: 5e6 },
  },
  "memory.heap": { name: "live heap at the end", show: megabytes },
  "memory.resident": {
    name: "resident memory, highest",
    show: megabytes,
    goal: { below: 200e6 },
  },
  "memory.native": {
    name: "resident memory outside V8, at the end: program, SQLite, sockets",
    show: megabytes,
  },
  "start.firstAnswer": { name: "start to first response", show: ms },
  "start.cpu": { name: "CPU time until the first response", show: number(2, " s") },
  "idle.resident": { name: "resident memory of an idle program", show: megabytes, goal: { below: 90e6 } },
  "sizes.loader": { name: "the loader, compressed", show: kilobytes, goal: { atMost: 2_048 } },
  "sizes.own": {
    name: "a form in the page's own markup, with the loader",
    show: kilobytes,
    goal: { atMost: 3_584 },
  },
  "sizes.form": { name: "a form with Preact, with the loader", show: kilobytes, goal: { atMost: 13_107 } },
  "sizes.popup": { name: "the popup, without the form", show: kilobytes, goal: { atMost: 2_662 } },
  "search.growth": {
    name: "reads and rows of a search: many records ÷ 1,000 records",
    show: number(2),
    goal: { atMost: 1 },
  },
  "search.slowest": { name: "the slowest kind of search in many records", show: number(1, " ms") },
  "pages.median": { name: "admin pages with many records, median", show: number(1, " ms") },
  "pages.slowest": {
    name: "the slowest admin page with many records, median",
    show: number(1, " ms"),
    goal: { below: 30 },
  },
  "pages.worst": { name: "the slowest response of an admin page", show: number(1, " ms") },
  "pages.reads": { name: "reads of an admin page, at most", show: number(0) },
  "pages.rows": { name: "rows in the lists that an admin page reads, at most", show: number(0) },
  "pages.file": { name: "the database file of these pages", show: megabytes },
  "pages.resident": { name: "resident memory after these pages", show: megabytes },
  "backup.perSecond": { name: "records backed up per second", show: number(0) },
  "backup.meanwhileP99": {
    name: "responses at 60 signups per second during a backup, 99th percentile",
    show: ms,
    goal: { below: 150 },
  },
  "backup.aloneP99": { name: "the same, without a backup", show: ms },
  "backup.meanwhilePerSecond": { name: "records backed up per second by such a server", show: number(0) },
  "inp.typing": { name: "INP of typing, CPU four times slower", show: ms, goal: { below: 100 } },
  "inp.submitting": { name: "the same, of typing and submitting", show: ms, goal: { below: 100 } },
  "inp.closing": {
    name: "the same, of typing, submitting and closing the popup",
    show: ms,
    goal: { below: 100 },
  },
  "navigation.nodes": {
    name: "DOM nodes that a page has more after 50 navigations",
    show: number(0),
    goal: { atMost: 0 },
  },
  "navigation.listeners": {
    name: "event listeners that it has more",
    show: number(0),
    goal: { atMost: 0 },
  },
  "navigation.heap": {
    name: "growth of the page's live heap",
    show: kilobytes,
    goal: { atMost: 20_000 },
  },
};

/** Returns "≥ 1.5" and the like; empty if the figure has no goal. */
export function goalOf({ goal, show }: Figure): string {
  if (!goal) return "";
  if ("atLeast" in goal) return `≥ ${show(goal.atLeast)}`;
  if ("above" in goal) return `> ${show(goal.above)}`;
  return "atMost" in goal ? `≤ ${show(goal.atMost)}` : `< ${show(goal.below)}`;
}

/** Returns whether a value meets the figure's goal, or undefined if there is none or the value is unknown. */
export function isMet({ goal }: Figure, value: number): boolean | undefined {
  if (!goal || Number.isNaN(value)) return undefined;
  if ("atLeast" in goal) return value >= goal.atLeast;
  if ("above" in goal) return value > goal.above;
  return "atMost" in goal ? value <= goal.atMost : value < goal.below;
}
