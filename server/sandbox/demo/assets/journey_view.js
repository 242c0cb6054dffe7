// @ts-check
/**
 * Describes the journey in words, as pure functions of what was observed.
 *
 * @typedef {import("../journey.ts").JourneyFacts} Facts
 * @typedef {"todo" | "doing" | "done" | "skipped" | "failed"} State
 * @typedef {{ state: State, ms?: number, description?: string }} Step `description` replaces the step's default one
 * @typedef {"token" | "accepted" | "provider" | "mail" | "confirmed"} StepName
 *
 * @typedef {object} Seen times are Unix milliseconds of this browser; in `facts`, of the server
 * @property {boolean} [ready] the form has reported that it is ready
 * @property {number} [submitted] when the button was pressed
 * @property {number} [answered] when the form reported the outcome
 * @property {string} [refused] the error's code, if the outcome was an error
 * @property {{ sentAt: number, ms: number }} [call] the subscribe request, as timed by the browser
 * @property {Facts | null} facts
 */

/** Shorter waits for the token are not mentioned. */
const MIN_SHOWN_WAIT_MS = 50;

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
  return ms > MIN_SHOWN_WAIT_MS
    ? { state: "done", ms, description: "The token was under three seconds old, so the signup waited." }
    : { state: "done", description: "Fetched. A signup waits until the token is three seconds old." };
}

/** @param {Seen} seen @returns {Step} */
function accepted({ submitted, answered, refused, call }) {
  if (submitted === undefined) return { state: "todo" };
  if (refused !== undefined) {
    return { state: "failed", description: `The visitor saw the error “${refused}”. Nothing was stored.` };
  }
  if (answered === undefined) return { state: "doing" };
  return {
    state: "done",
    ms: call?.ms ?? answered - submitted,
    description: "Stored, and the visitor got the response.",
  };
}

/** @param {Seen} seen @returns {Step} */
function provider({ answered, refused, facts }) {
  if (facts?.deliveredAt !== undefined) {
    return { state: "done", ...between(facts.acceptedAt, facts.deliveredAt) };
  }
  if (facts?.status === "failed") {
    return {
      state: "failed",
      description: "The provider rejected this address. The visitor is not notified.",
    };
  }
  if (answered === undefined || refused !== undefined) return { state: "todo" };
  return {
    state: "doing",
    description: "Waiting for the provider. The signup is stored, so nothing is lost.",
  };
}

/** @param {Seen} seen @returns {Step} */
function mail({ facts }) {
  if (facts?.mailedAt !== undefined) return { state: "done", ...between(facts.deliveredAt, facts.mailedAt) };
  if (facts?.confirmedAt !== undefined) {
    return { state: "skipped", description: "Not needed: this list is single opt-in." };
  }
  return { state: facts?.deliveredAt !== undefined && facts.status !== "failed" ? "doing" : "todo" };
}

/** @param {Seen} seen @returns {Step} */
function confirmed({ facts }) {
  if (facts?.confirmedAt === undefined) return { state: facts?.mailedAt === undefined ? "todo" : "doing" };
  return {
    state: "done",
    ...between(facts.mailedAt ?? facts.deliveredAt, facts.confirmedAt),
    description: `Reported by ${facts.confirmedBy ?? "a check"}.`,
  };
}

/** @param {number | undefined} from @param {number | undefined} to @returns {{ ms?: number }} */
function between(from, to) {
  return from === undefined || to === undefined ? {} : { ms: Math.max(0, to - from) };
}

/**
 * Summarizes the progress in one sentence.
 *
 * @param {Seen} seen
 */
export function summary(seen) {
  const now = steps(seen);
  if (seen.submitted === undefined) {
    return seen.ready
      ? "The form is ready. Sign up to see what happens."
      : "Sign up for the Sunday letter to see what happens.";
  }
  if (seen.refused !== undefined) return "The signup was not accepted.";
  if (now.provider.state === "failed") return "The provider rejected the address.";
  if (now.confirmed.state === "done") return "Confirmed. The signup is complete.";
  if (now.mail.state === "done") return "Waiting for the confirmation click.";
  return now.accepted.state === "done"
    ? "Accepted. Being sent to the provider."
    : "Being sent to the server.";
}

/** Returns whether the journey is over, so that polling can stop. @param {Seen} seen */
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
