import type { Target } from "../../port/port.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { type ServedListmonk, serveListmonk } from "./testing/serve.ts";

const SEARCH = isTo("GET", /\/subscribers\?search/);
const subscribed = (served: ServedListmonk, target: Target) =>
  served.provider().subscribe(target, { tags: [] });
/** Makes listmonk know the person, but not on the list. */
const known = (served: ServedListmonk, { email }: Target) =>
  served.provider().saveContact(email, { tags: [], properties: {} });

providerFaults("listmonk", serveListmonk, {
  "subscribe, searching": { effect: "reads", hits: SEARCH },
  "subscribe, creating": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  "subscribe, adding to the list": {
    effect: "writes",
    hits: isTo("PUT", /\/subscribers\/lists$/),
    before: known,
  },
  status: { effect: "reads", before: subscribed },
  resend: { effect: "writes", hits: isTo("POST", /\/optin$/), before: subscribed },
  reactivate: { effect: "writes", hits: isTo("PUT", /\/subscribers\/lists$/), before: subscribed },
  "importConfirmed, searching": { effect: "reads", hits: SEARCH },
  "importConfirmed, creating": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  "importConfirmed, adding to the list": {
    effect: "writes",
    hits: isTo("PUT", /\/subscribers\/lists$/),
    before: known,
  },
  contact: { effect: "reads", before: known },
  "saveContact, creating": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  "saveContact, changing": { effect: "writes", hits: isTo("PATCH", /\/subscribers\//), before: known },
  erase: { effect: "writes", hits: isTo("DELETE", /\/subscribers\//), before: known },
  sendTriggered: { effect: "writes", hits: isTo("POST", /\/tx$/) },
  sendTransactional: { effect: "writes", hits: isTo("POST", /\/tx$/) },
  template: { effect: "reads" },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  unconfirmed: { effect: "reads" },
});
