import { freePort } from "../../../../../dev/free_port.ts";
import { transport } from "../../../../platform/http/outbound/transport.ts";
import type { ProviderHarness } from "../../../conformance.ts";
import type { Target } from "../../../port/port.ts";
import { serveSandbox } from "../../../../sandbox/testing/serve.ts";

const WRONG_KEY = "the-key-of-another-project";
const FAULTS = { "rate limited": "429", "lost response": "error-after", none: "none" };

/** Returns the adapter with the sandbox, as the double of BlueFox. */
export async function openBluefox(): Promise<ProviderHarness> {
  const served = await serveSandbox();
  const [doubleOptIn, singleOptIn] = served.provisioned.lists;
  const change = async ({ list, email }: Target, patch: unknown) => {
    const path = `/subscriber-lists/${list}/subscribers/${encodeURIComponent(email)}`;
    const response = await served.api(path, { method: "PATCH", json: patch });
    await response.body?.cancel();
  };
  const mails = async (email: string) =>
    (await served.json(`/sandbox/inbox.json?email=${encodeURIComponent(email)}`)).mails;
  return {
    provider: served.provider(),
    url: served.sandbox.apiUrl,
    settings: { projectId: served.provisioned.project },
    doubleOptIn: doubleOptIn!.id,
    singleOptIn: singleOptIn!.id,
    suppressedAddress: "suppressed+1@example.com",
    bouncedAddress: "bounced+1@example.com",
    async confirm({ email }) {
      const response = await fetch((await mails(email))[0].links.confirm);
      await response.body?.cancel();
    },
    pause: (target) => change(target, { status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }),
    unsubscribe: (target) => change(target, { status: "unsubscribed" }),
    mailsTo: async (email) => (await mails(email)).length,
    withWrongKey: () => served.provider({ apiKey: WRONG_KEY }),
    wrongKey: WRONG_KEY,
    fault: (fault) =>
      served.faults({ mode: FAULTS[fault], retryAfterSeconds: fault === "rate limited" ? 7 : null }),
    async registerForeign(url) {
      const json = { url, secretKey: served.provisioned.apiKey, open: true };
      await (await served.api("/webhook", { method: "PATCH", json })).body?.cancel();
    },
    apiKey: served.provisioned.apiKey,
    unreachable: () => served.provider({ baseUrl: `http://127.0.0.1:${freePort()}` }),
    withFetch: (wrap) => served.provider({ fetch: wrap(transport) }),
    know: (email) => served.provider().saveContact(email, { tags: [], properties: {} }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
