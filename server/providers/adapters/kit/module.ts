import { API_KEY, defineProvider, text } from "../../module.ts";
import { kitCapabilities } from "./capabilities.ts";

const API = "https://api.kit.com/v4";

export const kit = defineProvider({
  title: "Kit",
  docs: "docs/kit.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    kitApiKey: {
      ...API_KEY,
      schema: text(500),
      label: "API key",
      help: "Kit shows it only once. V3 keys do not work.",
      find: "Create a V4 key in Kit under Settings, Developer",
      findUrl: "https://app.kit.com/account_settings/developer_settings",
    },
    kitWebhookSecret: {
      schema: text(200),
      label: "Webhook secret",
      help: "Kit signs its webhooks with it. cfbe enters it when you register the webhook.",
      noun: "the webhook secret",
      word: "webhook_secret",
      find: "Register the webhook, and cfbe enters it",
      secret: true,
    },
  },
  apiKey: "kitApiKey",
  capabilities: kitCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createKit } = await import("./adapter.ts");
    return createKit({
      baseUrl: url ?? API,
      apiKey: () => settings().kitApiKey,
      webhookSecret: () => settings().kitWebhookSecret,
      fetch,
      now: () => clock.now(),
    });
  },
});
