import type { Target } from "../../port/port.ts";
import type { PortCall } from "../../testing/port_calls.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { type ServedKit, serveKit } from "./testing/serve.ts";
import { WEBHOOK_NAME } from "./webhook.ts";

const FINDING = isTo("GET", /\/subscribers\?email_address=/);
const READING = isTo("GET", /\/subscribers\/\d+$/);
const known = ({ account }: ServedKit, { email }: Target) => account.add(email, { state: "inactive" });
const listed = ({ account }: ServedKit, { list, email }: Target) =>
  account.join(account.add(email, { state: "inactive" }), Number(list));
const registered = ({ account }: ServedKit) => {
  account.hooks.splice(0);
  account.register({ name: WEBHOOK_NAME, url: "https://old.example", events: ["subscriber.created"] });
};

const subscribeWithSize: PortCall["run"] = (provider, { target }) =>
  provider.subscribe(target, { tags: [], properties: { size: "m" } });

providerFaults("kit", serveKit, {
  "subscribe, finding": { effect: "reads", hits: FINDING },
  "subscribe, reading": { effect: "reads", hits: READING, before: known },
  "subscribe, reading the custom fields": {
    effect: "reads",
    hits: isTo("GET", /\/custom_fields\?/),
    run: subscribeWithSize,
  },
  "subscribe, creating a custom field": {
    // Nobody has been subscribed yet, and a field that exists is found by its key.
    effect: "reads",
    hits: isTo("POST", /\/custom_fields$/),
    before: ({ account }) => account.customFields.splice(0),
    run: subscribeWithSize,
  },
  "subscribe, creating": { effect: "writes", hits: isTo("POST", /\/v4\/subscribers$/) },
  "subscribe, adding to the form": { effect: "writes", hits: isTo("POST", /\/forms\/\d+\/subscribers$/) },
  "status, finding": { effect: "reads", hits: FINDING, before: listed },
  "status, reading": { effect: "reads", hits: READING, before: listed },
  "status, looking through the form": {
    effect: "reads",
    hits: isTo("GET", /\/forms\/\d+\/subscribers\?/),
    before: listed,
  },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  unconfirmed: { effect: "reads" },
  getWebhook: { effect: "reads" },
  "setWebhook, finding": { effect: "reads", hits: isTo("GET", /\/webhook_endpoints$/) },
  "setWebhook, creating": {
    effect: "writes",
    hits: isTo("POST", /\/webhook_endpoints$/),
    before: ({ account }) => account.hooks.splice(0),
  },
  "setWebhook, changing": {
    effect: "writes",
    hits: isTo("PATCH", /\/webhook_endpoints\/\d+$/),
    before: registered,
  },
  "setWebhook, renewing the secret": {
    effect: "writes",
    hits: isTo("POST", /\/rotate_secret$/),
    before: registered,
  },
});
