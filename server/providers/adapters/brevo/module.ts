import { API_KEY, defineProvider, text } from "../../module.ts";
import { brevoCapabilities } from "./capabilities.ts";

const API = "https://api.brevo.com/v3";

export const brevo = defineProvider({
  title: "Brevo",
  docs: "docs/brevo.md",
  evidence: { grade: "specified", date: "2026-11-22" },
  fields: {
    brevoApiKey: {
      ...API_KEY,
      schema: text(500),
      label: "API key",
      help:
        "Starts with xkeysib-. Create a key for this site alone. When it changes, register the webhook again.",
      find: "Create one at Brevo under Settings > SMTP & API > API keys",
      findUrl: "https://app.brevo.com/settings/keys/api",
    },
    brevoTemplate: {
      schema: text(20),
      label: "Confirmation template",
      help:
        "ID of the template of the confirmation email, such as 7. It must be active and have the tag optin.",
      noun: "the template of the confirmation email",
      word: "template",
      find: "Copy the number after # from Brevo's page of templates",
      required: true,
    },
    brevoThanksUrl: {
      schema: text(500),
      label: "Page after confirmation",
      help: "URL that people see after they confirmed, such as https://example.com/welcome.",
      noun: "the page after the confirmation",
      word: "thanks_url",
      url: "page",
      find: "Enter the URL of a page of your site",
      required: true,
    },
  },
  apiKey: "brevoApiKey",
  capabilities: brevoCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createBrevo } = await import("./adapter.ts");
    return createBrevo({
      baseUrl: url ?? API,
      apiKey: () => settings().brevoApiKey,
      template: () => settings().brevoTemplate,
      thanksUrl: () => settings().brevoThanksUrl,
      fetch,
      now: () => clock.now(),
    });
  },
});
