import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../platform/deps.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { type StubProvider, stubProvider } from "../../../dev/testing/stub_provider.ts";
import { defineProvider, type ProviderModule } from "../module.ts";
import type { WebhookReading, WebhookRequest } from "../port/webhook.ts";
import { isFromProvider } from "../port/webhook_auth.ts";

/**
 * Postbox is an imaginary provider for tests. It differs from BlueFox as another provider could: other setting names,
 * an optional setting that is not a secret, and webhooks that are form-encoded and signed.
 */
export interface Postbox {
  module: ProviderModule;
  /** The data at the provider. */
  account: StubProvider;
  /** The access tokens of all calls. */
  tokens: Set<string>;
}

/** The signing secret that Postbox creates when a webhook is registered. */
export const CREATED_SECRET = "a-signing-secret-of-postbox-nobody-may-read";
export const SIGNATURE = "x-postbox-signature";

export function postboxSignature(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

const text = () => z.string().trim().max(200, "must be 200 characters or less").default("");

export function createPostbox(clock: Clock): Postbox {
  const account = stubProvider(clock);
  const tokens = new Set<string>();
  const capabilities = {
    ...account.capabilities,
    signedWebhooks: true,
    probesWebhook: true,
    reactivation: false,
  };
  const module = defineProvider({
    title: "Postbox",
    docs: "docs/provider.md",
    evidence: { grade: "recorded", date: "2025-01-01" },
    fields: {
      postboxToken: {
        schema: text(),
        label: "Access token",
        help: "From your account's page.",
        noun: "the access token",
        word: "key",
        find: "Create one at Postbox",
        secret: true,
        required: true,
        variable: "CFBE_PROVIDER_API_KEY",
      },
      postboxRegion: {
        schema: text(),
        label: "Region",
        help: "Leave empty for the default region.",
        noun: "the region",
        word: "region",
        find: "Copy it from your account's page",
      },
      postboxSigningSecret: {
        schema: text(),
        label: "Signing secret",
        help: "Postbox signs its webhooks with it.",
        noun: "the signing secret",
        word: "signing_secret",
        find: "Copy it from the webhook's page at Postbox",
        secret: true,
      },
    },
    apiKey: "postboxToken",
    capabilities,
    create: ({ settings }) =>
      Promise.resolve({
        ...account,
        capabilities,
        subscribe(target, person) {
          tokens.add(settings().postboxToken);
          return account.subscribe(target, person);
        },
        async setWebhook(options) {
          const set = await account.setWebhook(options);
          return set.kind === "registered" ? { ...set, keep: { postboxSigningSecret: CREATED_SECRET } } : set;
        },
        readWebhook: (request) => Promise.resolve(readWebhook(request, settings().postboxSigningSecret)),
      }),
  });
  return { module, account, tokens };
}

const AUTH = { kind: "plain", header: SIGNATURE } as const;

function readWebhook(request: WebhookRequest, secret: string): WebhookReading {
  if (!request.authenticated && !isFromProvider(AUTH, request, { secret, now: 0 })) {
    return { kind: "refused", reason: "unauthorized" };
  }
  const payload = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(request.body)));
  const type = payload["type"] ?? "";
  if (type === "") return { kind: "refused", reason: "malformed" };
  const email = normalizeEmail(payload["email"]);
  if (email === undefined) return { kind: "refused", reason: "no_email", type, payload };
  const change = type === "confirmed" ? "active" : "ended";
  return { kind: "read", type, payload, events: [{ kind: "subscription", email, change }] };
}
