import type { Target } from "../../port/port.ts";
import type { PortCall } from "../../testing/port_calls.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { type ServedMailerlite, serveMailerlite } from "./testing/serve.ts";

const listed = ({ account }: ServedMailerlite, { list, email }: Target) =>
  account.add(email, { groups: new Set([list]) });
const elsewhere = ({ account, groups }: ServedMailerlite, { email }: Target) =>
  account.add(email, { groups: new Set([groups[1]]) });
const registered = ({ account }: ServedMailerlite) =>
  account.hooks.length || account.register({ name: "cfbe", url: "https://old.example", events: [] });

const subscribeWithSize: PortCall["run"] = (provider, { target }) =>
  provider.subscribe(target, { tags: [], properties: { size: "m" } });

providerFaults("mailerlite", serveMailerlite, {
  "subscribe, reading the fields": {
    effect: "reads",
    hits: isTo("GET", /\/fields\?/),
    run: subscribeWithSize,
  },
  "subscribe, creating a field": {
    // Nobody has been subscribed yet, and a field that exists is found by its key.
    effect: "reads",
    hits: isTo("POST", /\/fields$/),
    before: ({ account }) => account.fields.delete("size"),
    run: subscribeWithSize,
  },
  "subscribe, reading": { effect: "reads", hits: isTo("GET", /\/subscribers\//), before: elsewhere },
  "subscribe, creating": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  "subscribe, adding to the group": {
    effect: "writes",
    hits: isTo("POST", /\/groups\/\d+$/),
    before: elsewhere,
  },
  status: { effect: "reads", before: listed },
  "importConfirmed, reading": {
    effect: "reads",
    expectedKind: "exists",
    hits: isTo("GET", /\/subscribers\//),
    before: listed,
  },
  "importConfirmed, creating": { effect: "writes", hits: isTo("POST", /\/subscribers$/) },
  "importConfirmed, adding to the group": {
    effect: "writes",
    hits: isTo("POST", /\/groups\/\d+$/),
    before: ({ account, groups }, { email }) =>
      account.add(email, { status: "active", groups: new Set([groups[1]]) }),
  },
  "erase, reading": { effect: "reads", hits: isTo("GET", /\/subscribers\//), before: listed },
  "erase, forgetting": { effect: "writes", hits: isTo("POST", /\/forget$/), before: listed },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  unconfirmed: { effect: "reads" },
  getWebhook: { effect: "reads" },
  "setWebhook, reading what is registered": { effect: "reads", hits: isTo("GET", /\/webhooks\?/) },
  "setWebhook, creating": {
    effect: "writes",
    hits: isTo("POST", /\/webhooks$/),
    before: ({ account }) => account.hooks.splice(0),
  },
  "setWebhook, replacing": {
    effect: "writes",
    hits: isTo("PUT", /\/webhooks\/\d+$/),
    before(served) {
      served.account.hooks.splice(0);
      registered(served);
    },
  },
});
