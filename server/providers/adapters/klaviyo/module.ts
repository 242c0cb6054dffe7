import { API_KEY, defineProvider, text } from "../../module.ts";
import { klaviyoCapabilities } from "./capabilities.ts";

const API = "https://a.klaviyo.com";

export const klaviyo = defineProvider({
  title: "Klaviyo",
  docs: "docs/klaviyo.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    klaviyoApiKey: {
      ...API_KEY,
      schema: text(500),
      label: "Private API key",
      help: "It starts with pk_. Klaviyo shows it only once.",
      noun: "the private API key",
      find: "Create one in Klaviyo under Settings, API keys",
      findUrl: "https://www.klaviyo.com/settings/account/api-keys",
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
