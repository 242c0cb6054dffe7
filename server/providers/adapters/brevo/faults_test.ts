import type { Target } from "../../port/port.ts";
import type { PortCall } from "../../testing/port_calls.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { serveBrevo, type ServedBrevo } from "./testing/serve.ts";

const CONTACT = isTo("GET", /\/contacts\/[^/]+%40/);
const known = ({ account }: ServedBrevo, { email }: Target) => account.put(email);
const member = ({ account }: ServedBrevo, { list, email }: Target) =>
  account.change(account.put(email), { listIds: [Number(list)] });
const hasTags = ({ account }: ServedBrevo) => account.attributes.set("CFBE_TAGS", "text");
const oldWebhook = ({ account }: ServedBrevo) => {
  const url = "https://own.example/hook";
  account.webhooks = [{ id: 1, url, description: "cfbe", type: "marketing", events: ["opened"] }];
};

const subscribeWithSize: PortCall["run"] = (provider, { target }) =>
  provider.subscribe(target, { tags: [], properties: { size: "m" } });

providerFaults("brevo", serveBrevo, {
  "subscribe, listing attributes": {
    effect: "reads",
    hits: isTo("GET", /\/attributes$/),
    run: subscribeWithSize,
  },
  "subscribe, creating an attribute": {
    // Nobody has been subscribed yet, and an attribute that exists is found by its name.
    effect: "reads",
    hits: isTo("POST", /\/attributes\/normal\//),
    hasNoBody: true,
    before: ({ account }) => account.attributes.delete("SIZE"),
    run: subscribeWithSize,
  },
  "subscribe, reading": { effect: "reads", hits: CONTACT, before: known },
  "subscribe, requesting the confirmation": {
    effect: "writes",
    hits: isTo("POST", /\/doubleOptinConfirmation$/),
    hasNoBody: true,
  },
  status: { effect: "reads", before: member },
  resend: { effect: "writes", hits: isTo("POST", /\/doubleOptinConfirmation$/), hasNoBody: true },
  reactivate: {
    effect: "writes",
    hits: isTo("PUT", /\/contacts\//),
    hasNoBody: true,
    before(served, target) {
      member(served, target);
      served.account.unsubscribe(target.email);
    },
  },
  "importConfirmed, reading": { effect: "reads", hits: CONTACT, before: known },
  "importConfirmed, creating the contact": { effect: "writes", hits: isTo("POST", /\/contacts$/) },
  "importConfirmed, changing the contact": {
    effect: "writes",
    hits: isTo("POST", /\/contacts$/),
    hasNoBody: true,
    before: known,
  },
  contact: { effect: "reads", before: member },
  "saveContact, listing attributes": {
    effect: "reads",
    hits: isTo("GET", /\/attributes$/),
    before: hasTags,
  },
  "saveContact, creating an attribute": {
    // The contact was not changed yet, and an attribute that exists is found by its name.
    effect: "reads",
    hits: isTo("POST", /\/attributes\/normal\//),
    hasNoBody: true,
    before: ({ account }) => account.attributes.delete("CFBE_TAGS"),
  },
  "saveContact, creating the contact": {
    effect: "writes",
    hits: isTo("POST", /\/contacts$/),
    before: hasTags,
  },
  erase: { effect: "writes", hasNoBody: true, before: member },
  "sendTriggered, reading": { effect: "reads", hits: CONTACT, before: known },
  "sendTriggered, sending": { effect: "writes", hits: isTo("POST", /\/smtp\/email$/) },
  "sendTransactional, reading": { effect: "reads", hits: CONTACT, before: known },
  "sendTransactional, sending": { effect: "writes", hits: isTo("POST", /\/smtp\/email$/) },
  lists: { effect: "reads", hits: isTo("GET", /\/contacts\/lists/) },
  template: { effect: "reads" },
  connection: { effect: "reads" },
  getWebhook: { effect: "reads", before: oldWebhook },
  "setWebhook, reading what is registered": {
    effect: "reads",
    hits: isTo("GET", /\/webhooks/),
    before: oldWebhook,
  },
  "setWebhook, creating": {
    effect: "writes",
    hits: isTo("POST", /\/webhooks$/),
    before: ({ account }) => account.webhooks.splice(0),
  },
  "setWebhook, deleting a deactivated one": {
    effect: "writes",
    hits: isTo("DELETE", /\/webhooks\//),
    hasNoBody: true,
    before(served) {
      oldWebhook(served);
      served.account.webhooks[0]!.isActive = false;
    },
  },
  "setWebhook, changing": {
    effect: "writes",
    hits: isTo("PUT", /\/webhooks\//),
    hasNoBody: true,
    before: oldWebhook,
  },
  changed: { effect: "reads" },
});
