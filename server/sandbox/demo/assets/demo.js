// @ts-check
import { journey, pause, SUBSCRIBE } from "./api.js";
import { connectControls } from "./controls.js";
import { duration, ended, steps, summary, WORDS } from "./journey_view.js";

const EVERY_MS = 1000;
const GIVE_UP_MS = 30 * 60 * 1000;

/** @type {import("./journey_view.js").Seen} */
let seen = { facts: null };
let watching = false;

// Events that the widget sends to every page. They contain no email address.
document.addEventListener("cfbe-ready", () => {
  seen.ready = true;
  draw();
});
document.addEventListener("cfbe-submit", () => {
  seen = { ready: true, submitted: Date.now(), facts: null };
  draw();
});
document.addEventListener("cfbe-success", () => {
  seen.answered = Date.now();
  const call = callSince(seen.submitted ?? 0);
  if (call) seen.call = call;
  draw();
  watch();
});
document.addEventListener("cfbe-error", (event) => {
  /** @type {CustomEvent<{ code: string }>} */
  const { detail } = /** @type {any} */ (event);
  seen.answered = Date.now();
  seen.refused = detail.code;
  draw();
});

/**
 * Returns the browser's timing of the subscribe request. The wait for the token, between the click and the
 * request, is not server time.
 *
 * @param {number} since
 */
function callSince(since) {
  const calls = performance.getEntriesByName(SUBSCRIBE, "resource");
  const last = calls.at(-1);
  const sentAt = performance.timeOrigin + (last?.startTime ?? 0);
  return last && sentAt >= since - 1 ? { sentAt, ms: last.duration } : undefined;
}

/** Polls once a second while a signup is in progress and the page is visible. */
async function watch() {
  if (watching) return;
  watching = true;
  const end = Date.now() + GIVE_UP_MS;
  while (!ended(seen) && Date.now() < end) {
    await shown();
    const asked = seen;
    try {
      const facts = await journey(seen.submitted ?? Date.now());
      // Another signup may have started meanwhile, which this response does not cover.
      if (facts && asked === seen) seen.facts = facts;
      draw();
    } catch {
      // The service is restarting. The next request will succeed.
    }
    if (!ended(seen)) await pause(EVERY_MS);
  }
  watching = false;
}

async function shown() {
  if (!document.hidden) return;
  await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/** @type {Map<Element, string>} */
const explanations = new Map();

function draw() {
  const now = steps(seen);
  for (const [name, step] of Object.entries(now)) {
    /** @type {HTMLElement | null} */
    const item = document.querySelector(`[data-step="${name}"]`);
    const description = item?.querySelector("[data-description]");
    if (!item || !description) continue;
    if (!explanations.has(description)) explanations.set(description, description.textContent ?? "");
    item.dataset.state = step.state;
    write(item.querySelector("[data-word]"), WORDS[step.state]);
    write(item.querySelector("[data-time]"), step.ms === undefined ? "" : duration(step.ms));
    write(description, step.description ?? explanations.get(description) ?? "");
  }
  write(document.querySelector("[data-status]"), summary(seen));

  const waiting = now.confirmed.state === "doing";
  /** @type {HTMLAnchorElement | null} */
  const mail = document.querySelector("[data-mail]");
  const link = seen.facts?.mailLink;
  if (mail && link) mail.href = link;
  if (mail) mail.hidden = !(waiting && link);
  /** @type {HTMLButtonElement | null} */
  const pollNow = document.querySelector("[data-poll]");
  if (pollNow) pollNow.hidden = !waiting;
}

/**
 * Changes the page only if the text differs, so that a live region does not announce it every second.
 *
 * @param {Element | null} element
 * @param {string} text
 */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

draw();
connectControls((problem) => write(document.querySelector("[data-status]"), problem));
