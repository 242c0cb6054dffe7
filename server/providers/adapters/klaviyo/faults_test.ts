import type { Provider, Target } from "../../port/port.ts";
import type { CallArguments } from "../../testing/port_calls.ts";
import { isTo, providerFaults } from "../../testing/provider_faults.ts";
import { type ServedKlaviyo, serveKlaviyo } from "./testing/serve.ts";

const ACCOUNT = isTo("GET", /\/api\/profiles\?/);
const MEMBER = isTo("GET", /\/api\/lists\/\w+\/profiles\?/);
const IMPORT = isTo("POST", /\/profile-import$/);
const JOB = isTo("POST", /\/profile-subscription-bulk-create-jobs$/);
const subscribe = (provider: Provider, { target }: CallArguments) =>
  provider.subscribe(target, { name: "Ada", tags: [] });
const importConfirmed = (provider: Provider, { target, signal }: CallArguments) =>
  provider.importConfirmed(target, { name: "Ada", tags: [], confirmedAt: 0 }, signal);
const known = ({ account }: ServedKlaviyo, { email }: Target) => account.profile(email);
const listed = ({ account }: ServedKlaviyo, { list, email }: Target) => account.confirm(email, list);

providerFaults("klaviyo", serveKlaviyo, {
  "subscribe, reading": { effect: "reads", hits: ACCOUNT, run: subscribe },
  "subscribe, storing the name": { effect: "reads", hits: IMPORT, run: subscribe },
  "subscribe, starting the job": {
    effect: "writes",
    hits: JOB,
    hasNoBody: true,
    before: known,
    run: subscribe,
  },
  "status, reading the account": { effect: "reads", hits: ACCOUNT, before: listed },
  "status, reading the list": { effect: "reads", hits: MEMBER, before: listed },
  "resend, reading the opt-in": { effect: "reads", hits: isTo("GET", /\/api\/lists\/\w+$/) },
  "resend, starting the job": { effect: "writes", hits: JOB, hasNoBody: true },
  "importConfirmed, reading": { effect: "reads", hits: ACCOUNT, run: importConfirmed },
  "importConfirmed, storing the name": { effect: "reads", hits: IMPORT, run: importConfirmed },
  "importConfirmed, starting the job": { effect: "writes", hits: JOB, hasNoBody: true, run: importConfirmed },
  contact: { effect: "reads", before: known },
  saveContact: { effect: "writes" },
  "erase, reading": { effect: "reads", hits: ACCOUNT, before: known },
  "erase, starting the job": {
    effect: "writes",
    hits: isTo("POST", /\/data-privacy-deletion-jobs$/),
    hasNoBody: true,
    before: known,
  },
  lists: { effect: "reads" },
  connection: { effect: "reads" },
  changed: { effect: "reads" },
});
