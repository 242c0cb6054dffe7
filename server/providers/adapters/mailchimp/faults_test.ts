import type { Target } from "../../port/port.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import type { PortCall } from "../../testing/port_calls.ts";
import { hashOf } from "./testing/account.ts";
import { type ServedMailchimp, serveMailchimp } from "./testing/serve.ts";

const listed = ({ account }: ServedMailchimp, { list, email }: Target) => account.add(list, email);
const archived = ({ account }: ServedMailchimp, { list, email }: Target) =>
  account.add(list, email, { status: "archived" });
const fromOrder = ({ account }: ServedMailchimp, { list, email }: Target) =>
  account.add(list, email, { status: "transactional" });
const forgotten = ({ account }: ServedMailchimp, { list, email }: Target) =>
  account.audiences.get(list)!.forgotten.add(hashOf(email));
/** Leaves one audience, so that each request of `setWebhook` is sent once. */
const oneAudience = ({ account, audiences }: ServedMailchimp) => account.audiences.delete(audiences[1]);

const subscribeWithSize: PortCall["run"] = (provider, { target }) =>
  provider.subscribe(target, { tags: [], properties: { size: "m" } });

providerFaults("mailchimp", serveMailchimp, {
  "subscribe, reading": { effect: "reads", hits: isTo("GET", /\/members\//), before: archived },
  "subscribe, adding": { effect: "writes", hits: isTo("POST", /\/members\?/) },
  "subscribe, adding somebody who is archived": {
    effect: "writes",
    hits: isTo("PUT", /\/members\//),
    before: archived,
  },
  "subscribe, reading the URL of the hosted form": {
    effect: "reads",
    expectedKind: "elsewhere",
    hits: isTo("GET", /fields=subscribe_url_long/),
    before: forgotten,
  },
  "subscribe, reading the merge fields": {
    effect: "reads",
    hits: isTo("GET", /\/merge-fields\?/),
    run: subscribeWithSize,
  },
  "subscribe, creating a merge field": {
    // Nobody has been subscribed yet, and a field that exists is found by its tag.
    effect: "reads",
    hits: isTo("POST", /\/merge-fields$/),
    before: ({ account }, { list }) => account.audiences.get(list)!.mergeFields.clear(),
    run: subscribeWithSize,
  },
  status: { effect: "reads", before: listed },
  "importConfirmed, reading": { effect: "reads", hits: isTo("GET", /\/members\//), before: fromOrder },
  "importConfirmed, adding": { effect: "writes", hits: isTo("POST", /\/members\?/) },
  "importConfirmed, adding somebody who is known from an order": {
    effect: "writes",
    hits: isTo("PUT", /\/members\//),
    before: fromOrder,
  },
  "erase, reading the audiences": { effect: "reads", hits: isTo("GET", /\/lists\?/), before: listed },
  "erase, deleting": {
    effect: "writes",
    hasNoBody: true,
    hits: isTo("POST", /\/delete-permanent$/),
    before(served, target) {
      oneAudience(served);
      listed(served, target);
    },
  },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  changed: { effect: "reads" },
  unconfirmed: { effect: "reads" },
  getWebhook: { effect: "reads", hits: isTo("GET", /\/webhooks$/) },
  "setWebhook, reading what is registered": { effect: "reads", hits: isTo("GET", /\/webhooks$/) },
  "setWebhook, creating": {
    effect: "writes",
    hits: isTo("POST", /\/webhooks$/),
    before(served, { list }) {
      oneAudience(served);
      served.account.audiences.get(list)!.hooks.splice(0);
    },
  },
  "setWebhook, replacing": {
    effect: "writes",
    hits: isTo("PATCH", /\/webhooks\/\w+$/),
    before(served, { list }) {
      oneAudience(served);
      served.account.audiences.get(list)!.hooks.splice(0);
      served.account.register(list, { url: "https://old.example/hook?cfbe_token=old" });
    },
  },
});
