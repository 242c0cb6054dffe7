import { API_KEY, defineProvider, text } from "../../module.ts";
import { mailchimpCapabilities } from "./capabilities.ts";

export const mailchimp = defineProvider({
  title: "Mailchimp",
  docs: "docs/mailchimp.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    mailchimpApiKey: {
      ...API_KEY,
      schema: text(200),
      label: "API key",
      help: "It ends with its data center, such as -us6. Mailchimp shows it only once.",
      find: "Create one in Mailchimp under Extras, API keys",
      findUrl: "https://admin.mailchimp.com/account/api/",
    },
    mailchimpSigningSecrets: {
      schema: text(12_000),
      label: "Signing secrets",
      help:
        "Mailchimp signs its webhooks with one for each audience. cfbe enters them when you register the " +
        "webhook. Separate several with spaces.",
      noun: "the signing secrets",
      word: "signing_secrets",
      find: "Register the webhook, and cfbe enters them",
      secret: true,
    },
  },
  apiKey: "mailchimpApiKey",
  capabilities: mailchimpCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createMailchimp } = await import("./adapter.ts");
    return createMailchimp({
      baseUrl: url,
      apiKey: () => settings().mailchimpApiKey,
      signingSecrets: () => settings().mailchimpSigningSecrets,
      fetch,
      now: () => clock.now(),
    });
  },
});
