// @ts-check
/**
 * The journey in words: what was seen goes in, what is to be shown comes out. Nothing here touches the page.
 *
 * @typedef {import("../journey.ts").JourneyFacts} Facts
 * @typedef {"todo" | "doing" | "done" | "skipped" | "failed"} State
 * @typedef {{ state: State, ms?: number, says?: string }} Step `says` replaces the step's own explanation
 * @typedef {"token" | "accepted" | "provider" | "mail" | "confirmed"} StepName
 *
 * @typedef {object} Seen times are this browser's Unix milliseconds, those in `facts` the server's
 * @property {boolean} [ready] the form has said that it is
 * @property {number} [submitted] when the button was pressed
 * @property {number} [answered] when the form told the outcome
 * @property {string} [refused] the code, if the outcome was an error
 * @property {{ sentAt: number, ms: number }} [call] the request in between, as the browser timed it
 * @property {Facts | null} facts
 */

/** Shorter waits for the token's three seconds are not worth telling. */
const WAIT_WORTH_TELLING_MS = 50;

/** @type {Record<State, string>} */
export const WORDS = { todo: "", doing: "waiting", done: "done", skipped: "not needed", failed: "stopped" };

/**
 * @param {Seen} seen
 * @returns {Record<StepName, Step>}
 */
export function steps(seen) {
  return {
    token: token(seen),
    accepted: accepted(seen),
    provider: provider(seen),
    mail: mail(seen),
    confirmed: confirmed(seen),
  };
}

/** @param {Seen} seen @returns {Step} */
function token({ ready, submitted, call }) {
  if (!ready && submitted === undefined) return { state: "todo" };
  const ms = call && submitted !== undefined ? call.sentAt - submitted : 0;
  return ms > WAIT_WORTH_TELLING_MS
    ? { state: "done", ms, says: "Less than three seconds old at the signup, which waited out the rest." }
    : { state: "done", says: "Fetched. A signup within three seconds of it waits out the rest." };
}

/** @param {Seen} seen @returns {Step} */
function accepted({ submitted, answered, refused, call }) {
  if (submitted === undefined) return { state: "todo" };
  if (refused !== undefined) {
    return { state: "failed", says: `The visitor was told “${refused}”; nothing was stored.` };
  }
  if (answered === undefined) return { state: "doing" };
  return { state: "done", ms: call?.ms ?? answered - submitted, says: "Stored, and the visitor answered." };
}

/** @param {Seen} seen @returns {Step} */
function provider({ answered, refused, facts }) {
  if (facts?.deliveredAt !== undefined) {
    return { state: "done", ...between(facts.acceptedAt, facts.deliveredAt) };
  }
  if (facts?.status === "failed") {
    return { state: "failed", says: "The provider refuses this address. The visitor is not told." };
  }
  if (answered === undefined || refused !== undefined) return { state: "todo" };
  return { state: "doing", says: "Waiting for the provider. Nothing is lost: the signup is stored here." };
}

/** @param {Seen} seen @returns {Step} */
function mail({ facts }) {
  if (facts?.mailedAt !== undefined) return { state: "done", ...between(facts.deliveredAt, facts.mailedAt) };
  if (facts?.confirmedAt !== undefined) {
    return { state: "skipped", says: "None needed: this list takes people at once." };
  }
  return { state: facts?.deliveredAt !== undefined && facts.status !== "failed" ? "doing" : "todo" };
}

/** @param {Seen} seen @returns {Step} */
function confirmed({ facts }) {
  if (facts?.confirmedAt === undefined) return { state: facts?.mailedAt === undefined ? "todo" : "doing" };
  return {
    state: "done",
    ...between(facts.mailedAt ?? facts.deliveredAt, facts.confirmedAt),
    says: `Noticed by ${facts.confirmedBy ?? "a check"}.`,
  };
}

/** @param {number | undefined} from @param {number | undefined} to @returns {{ ms?: number }} */
function between(from, to) {
  return from === undefined || to === undefined ? {} : { ms: Math.max(0, to - from) };
}

/**
 * Where it all stands, in one sentence.
 *
 * @param {Seen} seen
 */
export function summary(seen) {
  const now = steps(seen);
  if (seen.submitted === undefined) {
    return seen.ready
      ? "The form is ready. Sign up, and watch."
      : "Sign up for the Sunday letter, and watch.";
  }
  if (seen.refused !== undefined) return "The signup was not accepted.";
  if (now.provider.state === "failed") return "The provider refused the address.";
  if (now.confirmed.state === "done") return "Confirmed. The journey ends here.";
  if (now.mail.state === "done") return "A mail is waiting for its click.";
  return now.accepted.state === "done"
    ? "Accepted. On the way to the provider."
    : "On the way to the server.";
}

/** Nothing more can come: asking on would be for nothing. @param {Seen} seen */
export function ended({ facts }) {
  return facts?.confirmedAt !== undefined || facts?.status === "failed";
}

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
