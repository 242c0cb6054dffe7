import { API_KEY, defineProvider, text } from "../../module.ts";
import { mailerliteCapabilities } from "./capabilities.ts";

const API = "https://connect.mailerlite.com/api";

export const mailerlite = defineProvider({
  title: "MailerLite",
  docs: "docs/mailerlite.md",
  evidence: { grade: "recorded", date: "2026-11-22" },
  fields: {
    mailerliteApiKey: {
      ...API_KEY,
      schema: text(4_000),
      label: "API token",
      help: "MailerLite shows it only once.",
      noun: "the API token",
      find: "Create one in MailerLite under Integrations, MailerLite API",
      findUrl: "https://dashboard.mailerlite.com/integrations/api",
    },
    mailerliteWebhookSecret: {
      schema: text(200),
      label: "Webhook secret",
      help: "MailerLite signs its webhooks with it. cfbe enters it when you register the webhook.",
      noun: "the webhook secret",
      word: "webhook_secret",
      find: "Register the webhook, and cfbe enters it",
      secret: true,
    },
  },
  apiKey: "mailerliteApiKey",
  capabilities: mailerliteCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createMailerlite } = await import("./adapter.ts");
    return createMailerlite({
      baseUrl: url ?? API,
      apiKey: () => settings().mailerliteApiKey,
      webhookSecret: () => settings().mailerliteWebhookSecret,
      fetch,
      now: () => clock.now(),
    });
  },
});
