import { z } from "zod";
import { defineProvider } from "../../module.ts";
import { mailerliteCapabilities } from "./capabilities.ts";

const API = "https://connect.mailerlite.com/api";
const text = (max: number) => z.string().trim().max(max, `must be ${max} characters or less`).default("");

export const mailerlite = defineProvider({
  title: "MailerLite",
  docs: "docs/mailerlite.md",
  evidence: { grade: "recorded", date: "2026-11-22" },
  fields: {
    mailerliteApiKey: {
      schema: text(4_000),
      label: "API token",
      help: "MailerLite shows it only once.",
      noun: "the API token",
      word: "key",
      find: "Create one in MailerLite under Integrations, MailerLite API",
      findUrl: "https://dashboard.mailerlite.com/integrations/api",
      secret: true,
      required: true,
      variable: "CFBE_PROVIDER_API_KEY",
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
