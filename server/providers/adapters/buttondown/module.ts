import { API_KEY, defineProvider, text } from "../../module.ts";
import { buttondownCapabilities } from "./capabilities.ts";

export const buttondown = defineProvider({
  title: "Buttondown",
  docs: "docs/buttondown.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    buttondownApiKey: {
      ...API_KEY,
      schema: text(500),
      label: "API key",
      help: "A key that may change subscribers and read the newsletter's settings.",
      find: "Create one in Buttondown under API, Keys",
      findUrl: "https://buttondown.com/keys",
    },
    buttondownWebhookSecret: {
      schema: text(255),
      label: "Webhook signing key",
      help: "The signing key of the webhook that you create in Buttondown.",
      noun: "the webhook signing key",
      word: "webhook_secret",
      find: "Choose a long random text, and enter it in Buttondown's webhook, too",
      secret: true,
    },
  },
  apiKey: "buttondownApiKey",
  capabilities: buttondownCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createButtondown } = await import("./adapter.ts");
    return createButtondown({
      baseUrl: url ?? "https://api.buttondown.com/v1",
      apiKey: () => settings().buttondownApiKey,
      webhookSecret: () => settings().buttondownWebhookSecret,
      fetch,
      now: () => clock.now(),
    });
  },
});
