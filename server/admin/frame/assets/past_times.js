// Says at once that a time which somebody enters is over, and when that was on their own clock. Moves the end of a form with
// its countdown.

import { announce } from "./announcer.js";

/** Time without typing after which screen readers hear it. */
const QUIET_MS = 1000;

/** The field of the minute that a form counts down to. */
const COUNTDOWN = '[name$="countdown"]';

let announcing;

/** Returns the time of a clock in a time zone as if it were UTC, in Unix milliseconds. The locale writes ISO dates. */
const clockIn = (timeZone, at) =>
  Date.parse(
    `${new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(at)}Z`,
  );

/**
 * Returns when a clock in a time zone shows a minute, in Unix milliseconds; NaN for what is no minute of the years 1000 to
 * 9999.
 *
 * @param {string} minute such as `2026-12-01T09:00`
 * @param {string} zone IANA name
 */
export function timeOf(minute, zone) {
  const utc = Date.parse(`${minute}Z`);
  // Fields have each year on the way to the one that is typed: 2, 20 and 202.
  if (!/^[1-9]\d{3}-/.test(minute) || Number.isNaN(utc)) return NaN;
  const offset = (at) => clockIn(zone, at) - at;
  // The offset at the guess can differ from the offset at the result.
  return utc - offset(utc - offset(utc));
}

/** Returns a time in words; nothing for what is none. */
const textOf = (at, timeZone) =>
  Number.isNaN(at)
    ? ""
    : new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(at);

/** Says below the fields of a part of the page which of their times are over. */
export function showPast(root) {
  for (const note of root.querySelectorAll("[data-past]")) update(note);
}

function update(note) {
  const at = timeOf(note.closest(".field").querySelector("input").value, note.dataset.past);
  note.hidden = !(at <= Date.now());
  if (note.hidden) return;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const text = textOf(at, timeZone);
  note.querySelector("[data-past-here]").textContent = `It was ${text} for you (${timeZone}).`;
}

addEventListener("input", ({ target }) => sayPast(target));

/** Shows at once whether the time of a field is over, and says so later. */
function sayPast(target) {
  const note = target.type === "datetime-local" && target.closest(".field")?.querySelector("[data-past]");
  if (!note) return;
  update(note);
  clearTimeout(announcing);
  announcing = setTimeout(() => note.hidden || announce(note.textContent), QUIET_MS);
}

/** What the countdown that has the focus is before it is changed. */
let before;

for (const type of ["focusin", "keydown", "pointerdown"]) {
  addEventListener(type, ({ target }) => {
    // A part that is being typed, such as the month 0, leaves no value.
    if (target.matches?.(COUNTDOWN) && !target.validity.badInput) before = target.value;
  }, { capture: true });
}

const endIn = (form) => form.querySelector('[name$="schedule.until"]');

addEventListener("input", ({ target }) => {
  if (target.matches(COUNTDOWN)) moveEnd(target);
});

/** Ends a form that ends with its countdown with the one that is entered, as the server does. */
function moveEnd(target) {
  if (!target.value) return;
  const end = endIn(target.form);
  if (before && end?.value === before) {
    end.value = target.value;
    end.dispatchEvent(new Event("input", { bubbles: true }));
  }
  before = target.value;
}

// After it, and when a change was undone.
addEventListener("input", ({ target: { form } }) => {
  if (!form?.querySelector("[data-end]")) return;
  const minutes = { until: endIn(form)?.value, countdown: form.querySelector(COUNTDOWN)?.value };
  const { until, countdown } = minutes;
  const now = !until || !countdown ? "apart" : until === countdown ? "same" : "other";
  for (const sentence of form.querySelectorAll("[data-end]")) sentence.hidden = sentence.dataset.end !== now;
  for (const minute of form.querySelectorAll("[data-minute]")) {
    minute.textContent = textOf(timeOf(minutes[minute.dataset.minute], "UTC"), "UTC");
  }
});

// This script is loaded when a field gets the focus, and it may have changed meanwhile.
const { activeElement } = document;
if (activeElement.value !== activeElement.defaultValue) sayPast(activeElement);
if (activeElement.matches(COUNTDOWN)) {
  before = activeElement.defaultValue;
  moveEnd(activeElement);
}
