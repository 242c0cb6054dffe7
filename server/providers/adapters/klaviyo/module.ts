import { z } from "zod";
import { defineProvider } from "../../module.ts";
import { klaviyoCapabilities } from "./capabilities.ts";

const API = "https://a.klaviyo.com";
const text = (max: number) => z.string().trim().max(max, `must be ${max} characters or less`).default("");

export const klaviyo = defineProvider({
  title: "Klaviyo",
  docs: "docs/klaviyo.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    klaviyoApiKey: {
      schema: text(500),
      label: "Private API key",
      help: "It starts with pk_. Klaviyo shows it only once.",
      noun: "the private API key",
      word: "key",
      find: "Create one in Klaviyo under Settings, API keys",
      findUrl: "https://www.klaviyo.com/settings/account/api-keys",
      secret: true,
      required: true,
      variable: "CFBE_PROVIDER_API_KEY",
    },
    klaviyoWebhookSecret: {
      schema: text(200),
      label: "System webhook secret",
      help: "Only for a system webhook: the secret that you entered for it in Klaviyo. Flows need none.",
      noun: "the system webhook's secret",
      word: "webhook_secret",
      find: "Copy it from the system webhook's settings in Klaviyo",
      secret: true,
    },
  },
  apiKey: "klaviyoApiKey",
  capabilities: klaviyoCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createKlaviyo } = await import("./adapter.ts");
    return createKlaviyo({
      baseUrl: url ?? API,
      apiKey: () => settings().klaviyoApiKey,
      webhookSecret: () => settings().klaviyoWebhookSecret,
      fetch,
      now: () => clock.now(),
    });
  },
});
