import { z } from "zod";
import { defineProvider } from "../../module.ts";
import { buttondownCapabilities } from "./capabilities.ts";

export const buttondown = defineProvider({
  title: "Buttondown",
  docs: "docs/buttondown.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    buttondownApiKey: {
      schema: z.string().trim().max(500, "must be 500 characters or less").default(""),
      label: "API key",
      help: "A key that may change subscribers and read the newsletter's settings.",
      noun: "the API key",
      word: "key",
      find: "Create one in Buttondown under API, Keys",
      findUrl: "https://buttondown.com/keys",
      secret: true,
      required: true,
      variable: "CFBE_PROVIDER_API_KEY",
    },
    buttondownWebhookSecret: {
      schema: z.string().trim().max(255, "must be 255 characters or less").default(""),
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
