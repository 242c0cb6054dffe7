import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import { skewOf } from "../../http/json_response.ts";
import type { ConnectionResult, SubscribeResult, Suppressed } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { isMissing, type KitResponse, trouble } from "./http.ts";

/** Converts Kit's responses to the results of the port. All functions are pure. */

const STATES: Readonly<Record<string, ListStatus>> = {
  inactive: "pending",
  active: "active",
  cancelled: "unsubscribed",
  bounced: "bounced",
  complained: "suppressed",
};

/** Returns the list status for Kit's state, or undefined if its documentation does not list it. */
export function listStatusOf(state: string): ListStatus | undefined {
  return Object.hasOwn(STATES, state) ? STATES[state] : undefined;
}

/** A person in the account. A person has one state, whatever the forms. */
export interface Person {
  kind: "person";
  id: number;
  status: ListStatus;
  /** Unix milliseconds. */
  createdAt: number;
}

const id = z.number().int().positive();
/** A time that a date with a year of four digits can express, a few days later as well. */
const time = z.string().transform((value) => Date.parse(value)).pipe(
  z.number().min(0).max(Date.UTC(9999, 0)),
);
const subscriber = z.object({
  id,
  state: z.string(),
  created_at: time,
});
/** An entry of a listing, as far as it identifies the person. */
const entry = z.object({ id, email_address: z.string() });

/** Returns the entries of a page of subscribers that can be read; undefined if the response is not such a page. */
export function entriesOf(response: KitResponse): (z.infer<typeof entry> & { state: unknown })[] | undefined {
  const all = response.kind === "ok" ? response.body["subscribers"] : undefined;
  if (!Array.isArray(all)) return undefined;
  return all.flatMap((raw) => {
    const found = entry.safeParse(raw).data;
    return found ? [{ ...found, state: raw.state }] : [];
  });
}

/** Returns the person's ID from the response to a search for the address. */
export function foundId(
  response: KitResponse,
  email: string,
): { kind: "id"; id: number } | { kind: "absent" } | Trouble {
  const entries = entriesOf(response);
  if (!entries) return trouble(response, "reads");
  const found = entries.find(({ email_address }) => email_address.toLowerCase() === email.toLowerCase());
  return found ? { kind: "id", id: found.id } : { kind: "absent" };
}

const UNKNOWN_STATE: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason: "Kit reports a state that its documentation does not list",
  unknown: false,
};

function personIn(response: KitResponse): Person | Trouble | undefined {
  const found = response.kind === "ok" ? subscriber.safeParse(response.body["subscriber"]).data : undefined;
  if (!found) return undefined;
  const status = listStatusOf(found.state);
  return status ? { kind: "person", id: found.id, status, createdAt: found.created_at } : UNKNOWN_STATE;
}

/** Returns the result of `GET /subscribers/{id}`. */
export function personResult(response: KitResponse): Person | { kind: "absent" } | Trouble {
  if (isMissing(response)) return { kind: "absent" };
  return personIn(response) ?? trouble(response, "reads");
}

/** Returns the result of `POST /subscribers`: the person who was created or who already existed. */
export function createResult(
  response: KitResponse,
): Person | Extract<SubscribeResult, { kind: "refused" }> | Trouble {
  const isInvalid = response.kind === "error" && response.status === 422 &&
    response.problem?.some((text) => /\bemail address is invalid\b/i.test(text));
  if (isInvalid) return { kind: "refused", reason: "Kit does not accept this as an email address." };
  return personIn(response) ?? trouble(response, "writes");
}

const BOUNCED: Suppressed = {
  kind: "suppressed",
  bounced: true,
  reason: "Emails to the address bounce, and Kit sends none to it.",
};
const COMPLAINED: Suppressed = {
  kind: "suppressed",
  reason: "The person reported an email as spam, and Kit sends them none.",
};

/** Returns the result of a subscribe for a person whom cfbe adds to no form; undefined for all others. */
export function barredResult({ status }: Pick<Person, "status">): SubscribeResult | undefined {
  if (status === "unsubscribed") return { kind: "left" };
  if (status === "bounced") return BOUNCED;
  return status === "suppressed" ? COMPLAINED : undefined;
}

/** Returns the result of `POST /forms/{id}/subscribers`. 200 means that the person was on the form before. */
export function joinResult(response: KitResponse): SubscribeResult {
  if (isMissing(response)) {
    return { ...trouble(response, "writes"), reason: "The form does not exist at Kit." };
  }
  const person = personIn(response);
  if (!person || response.kind !== "ok") return trouble(response, "writes");
  // The person is on the form, whatever the state means.
  if (person.kind === "trouble") return { ...person, unknown: true };
  const barred = barredResult(person);
  if (barred) return barred;
  if (response.status === 200) return { kind: "exists" };
  return { kind: "accepted", ...(person.status === "pending" && { isPending: true }) };
}

const account = z.object({ name: z.string().min(1), plan_type: z.string().catch("") });

/** Returns the result of `GET /account`. */
export function connectionResult(response: KitResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    return { kind: "forbidden", message: `HTTP ${response.status}`, ...skew };
  }
  const found = response.kind === "ok" ? account.safeParse(response.body["account"]).data : undefined;
  return found
    ? { kind: "connected", name: found.name, status: found.plan_type, ...skew }
    : trouble(response, "reads");
}
