import type { Target } from "../../port/port.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { serveButtondown, type ServedButtondown } from "./testing/serve.ts";

const is = (type: string) => ({ put }: ServedButtondown, { email }: Target) => put(email, type);
/** Leaves one newsletter: the requests to several differ only in a header. */
const onlyOne = (served: ServedButtondown, target: Target) => {
  served.double.newsletters.splice(1);
  is("regular")(served, target);
};

providerFaults("buttondown", serveButtondown, {
  "subscribe, creating": { effect: "writes" },
  "subscribe, reading": {
    effect: "reads",
    expectedKind: "exists",
    hits: isTo("GET", /\/subscribers\//),
    before: is("regular"),
  },
  status: { effect: "reads", before: is("regular") },
  "resend, reading": { effect: "reads", hits: isTo("GET", /\/subscribers\//), before: is("unactivated") },
  "resend, reminding": {
    effect: "writes",
    hits: isTo("POST", /\/send-reminder$/),
    before: is("unactivated"),
    hasNoBody: true,
  },
  "reactivate, reading": {
    effect: "reads",
    hits: isTo("GET", /\/subscribers\//),
    before: is("unsubscribed"),
  },
  "reactivate, changing": {
    effect: "writes",
    hits: isTo("PATCH", /\/subscribers\//),
    before: is("unsubscribed"),
  },
  "erase, listing the newsletters": {
    effect: "reads",
    hits: isTo("GET", /\/newsletters/),
    before: onlyOne,
  },
  "erase, deleting": {
    effect: "writes",
    hits: isTo("DELETE", /\/subscribers\//),
    before: onlyOne,
    hasNoBody: true,
  },
  emailOf: {
    effect: "reads",
    expectedKind: "found",
    before: is("regular"),
    run: (provider, { target: { list, email }, signal }) => provider.emailOf!({ id: email, list }, signal),
  },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  unconfirmed: { effect: "reads" },
});
