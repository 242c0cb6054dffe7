// @ts-check
import { journey, pause, SUBSCRIBE } from "./api.js";
import { connectControls } from "./controls.js";
import { duration, ended, steps, summary, WORDS } from "./journey_view.js";

const EVERY_MS = 1000;
const GIVE_UP_MS = 30 * 60 * 1000;

/** @type {import("./journey_view.js").Seen} */
let seen = { facts: null };
let watching = false;

// What the widget tells every page; none of it carries an address.
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
 * The request that carried the signup, as the browser timed it: between the button and it lies the wait for the
 * token's three seconds, which is not the server's.
 *
 * @param {number} since
 */
function callSince(since) {
  const calls = performance.getEntriesByName(SUBSCRIBE, "resource");
  const last = calls.at(-1);
  const sentAt = performance.timeOrigin + (last?.startTime ?? 0);
  return last && sentAt >= since - 1 ? { sentAt, ms: last.duration } : undefined;
}

/** Asks once a second while something is under way and somebody looks. */
async function watch() {
  if (watching) return;
  watching = true;
  const end = Date.now() + GIVE_UP_MS;
  while (!ended(seen) && Date.now() < end) {
    await shown();
    const asked = seen;
    try {
      const facts = await journey(seen.submitted ?? Date.now());
      // Meanwhile another signup may have begun, of which this answer knows nothing.
      if (facts && asked === seen) seen.facts = facts;
      draw();
    } catch {
      // The service restarts: the next second finds it.
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
    const says = item?.querySelector("[data-says]");
    if (!item || !says) continue;
    if (!explanations.has(says)) explanations.set(says, says.textContent ?? "");
    item.dataset.state = step.state;
    write(item.querySelector("[data-word]"), WORDS[step.state]);
    write(item.querySelector("[data-time]"), step.ms === undefined ? "" : duration(step.ms));
    write(says, step.says ?? explanations.get(says) ?? "");
  }
  write(document.querySelector("[data-status]"), summary(seen));

  const waiting = now.confirmed.state === "doing";
  /** @type {HTMLAnchorElement | null} */
  const mail = document.querySelector("[data-mail]");
  const link = seen.facts?.mailLink;
  if (mail && link) mail.href = link;
  if (mail) mail.hidden = !(waiting && link);
  /** @type {HTMLButtonElement | null} */
  const look = document.querySelector("[data-look]");
  if (look) look.hidden = !waiting;
}

/**
 * Touches the page only where something changed, or a live region would repeat itself every second.
 *
 * @param {Element | null} element
 * @param {string} text
 */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

draw();
connectControls((problem) => write(document.querySelector("[data-status]"), problem));
