import type { ClientOptions } from "../../http/json_client.ts";
import type { NewPerson, Provider, ProviderList, Target } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { absent, refused, unavailable } from "../../port/unsupported.ts";
import { buttondownCapabilities } from "./capabilities.ts";
import { buttondownClients, trouble } from "./http.ts";
import {
  connectionResult,
  createResult,
  emailResult,
  eraseResult,
  isCollision,
  knownResult,
  newsletterPage,
  rejectsExtras,
  statusResult,
  suppressionOf,
  unconfirmedPage,
} from "./results.ts";
import { readButtondownWebhook } from "./webhook_events.ts";

interface ButtondownOptions extends ClientOptions {
  /** Returns the signing key of the webhook; empty if there is none. */
  webhookSecret: () => string;
}

/** 2,000 newsletters. Ends an endless chain of pages. */
const PAGES_MAX = 20;

const pathOf = (email: string) => `/subscribers/${encodeURIComponent(email)}`;

interface Creation {
  email_address: string;
  metadata?: Record<string, string | number>;
  tags?: string[];
}

/**
 * Returns the bodies that create a person: with all that is known, then without what only some plans can store. Never sets
 * `type`, which could skip double opt-in, nor a behavior for collisions: Buttondown then changes nobody whom it has
 * already, such as somebody who left.
 */
function creationsOf(
  email_address: string,
  { name, tags, properties }: NewPerson,
): [Creation, ...Creation[]] {
  const metadata = { ...properties, ...(name && { name }) };
  const address = { email_address };
  const withMetadata = Object.keys(metadata).length > 0 ? { ...address, metadata } : address;
  const withAll = tags.length > 0 ? { ...withMetadata, tags } : withMetadata;
  const simpler = new Set<Creation>([withMetadata, address]);
  simpler.delete(withAll);
  return [withAll, ...simpler];
}

/**
 * Creates the adapter for Buttondown. A list is a newsletter. Its calls never throw. Source: docs.buttondown.com, and the
 * specification in github.com/buttondown/openapi.
 */
export function createButtondown(options: ButtondownOptions): Provider {
  const { webhookSecret } = options;
  const clientOf = buttondownClients(options);
  const sendToAccount = clientOf();

  const status = async ({ list, email }: Target, signal?: AbortSignal) =>
    statusResult(await clientOf(list)({ method: "GET", path: pathOf(email), signal }));

  /** Returns every newsletter that the key reaches. */
  async function newsletters(signal?: AbortSignal): Promise<ProviderList[] | Trouble> {
    const all: ProviderList[] = [];
    for (let page = 1, hasNext = true; hasNext && page <= PAGES_MAX; page++) {
      const response = await sendToAccount({ method: "GET", path: `/newsletters?page=${page}`, signal });
      const read = newsletterPage(response);
      if (!read) return trouble(response, "reads");
      all.push(...read.items);
      hasNext = read.hasNext;
    }
    return all;
  }

  return {
    capabilities: buttondownCapabilities,
    status,

    async subscribe(target, person) {
      const send = clientOf(target.list);
      const create = (body: Creation) => send({ method: "POST", path: "/subscribers", body });
      const [first, ...simpler] = creationsOf(target.email, person);
      let response = await create(first);
      for (const body of simpler) {
        if (!rejectsExtras(response)) break;
        response = await create(body);
      }
      if (!isCollision(response)) return createResult(response);
      const known = await status(target);
      if (known.kind === "absent") return trouble(response, "writes");
      return known.kind === "trouble" ? known : knownResult(known.status);
    },

    async resend(target) {
      const known = await status(target);
      if (known.kind === "trouble") return known;
      // Buttondown does not say what a reminder to anybody else does.
      if (known.kind === "absent" || known.status !== "pending") {
        const suppression = known.kind === "found" ? suppressionOf(known.status) : undefined;
        return suppression ?? { kind: "refused", reason: "The person is not waiting for a confirmation." };
      }
      const path = `${pathOf(target.email)}/send-reminder`;
      const response = await clientOf(target.list)({ method: "POST", path });
      return response.kind === "ok" ? { kind: "sent" } : trouble(response, "writes");
    },

    async reactivate(target, signal) {
      const known = await status(target, signal);
      if (known.kind !== "found") return known;
      if (known.status === "active") return { kind: "active" };
      if (known.status !== "unsubscribed") {
        return { kind: "refused", reason: "The person did not unsubscribe." };
      }
      const body = { type: "regular" };
      const request = { method: "PATCH", path: pathOf(target.email), body, signal } as const;
      const response = await clientOf(target.list)(request);
      const changed = statusResult(response);
      if (changed.kind === "found" && changed.status === "active") return { kind: "active" };
      return changed.kind === "absent" ? changed : trouble(response, "writes");
    },

    async erase(email, signal) {
      const all = await newsletters(signal);
      if ("kind" in all) return all;
      let isErased = false;
      for (const { id } of all) {
        const result = eraseResult(await clientOf(id)({ method: "DELETE", path: pathOf(email), signal }));
        if (result.kind === "trouble") return result;
        isErased ||= result.kind === "erased";
      }
      return { kind: isErased ? "erased" : "absent" };
    },

    async lists() {
      const all = await newsletters();
      return "kind" in all ? all : { kind: "lists", lists: all };
    },

    async unconfirmed(list, cursor) {
      const number = /^\d{1,9}$/.test(cursor ?? "") ? Number(cursor) : 1;
      const path = `/subscribers?type=unactivated&page=${number}`;
      return unconfirmedPage(await clientOf(list)({ method: "GET", path }), number);
    },

    connection: async () => connectionResult(await sendToAccount({ method: "GET", path: "/accounts/me" })),

    emailOf: async ({ id, list }, signal) =>
      emailResult(await clientOf(list)({ method: "GET", path: pathOf(id), signal })),
    readWebhook: (request) => Promise.resolve(readButtondownWebhook(request, { secret: webhookSecret() })),
    sendTriggered: refused("Buttondown cannot send single emails with your data."),
    sendTransactional: refused("Buttondown cannot send single emails with your data."),
    saveContact: refused("Buttondown cannot store somebody who is not a subscriber."),
    importConfirmed: refused(
      "Buttondown accepts only 100 new people a day. Import them there as a CSV file.",
    ),
    setWebhook: refused("Create the webhook in Buttondown, with a signing key."),
    contact: absent,
    template: unavailable("Buttondown has no templates for single emails."),
    getWebhook: unavailable("Buttondown's webhooks do not contain the address."),
    changed: unavailable("Buttondown does not list changes."),
  };
}
