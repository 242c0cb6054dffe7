import { API_KEY, defineProvider, text } from "../../module.ts";
import { bluefoxCapabilities } from "./capabilities.ts";

const API = "https://api.bluefox.email";

export const bluefox = defineProvider({
  title: "BlueFox Email",
  docs: "docs/provider.md",
  evidence: { grade: "specified", date: "2026-11-21" },
  fields: {
    projectId: {
      schema: text(200),
      label: "Project",
      help: "The project's ID, such as 65f0a1….",
      noun: "the project",
      word: "project",
      find: "Copy it from the project's page at the provider",
      required: true,
      variable: "CFBE_PROVIDER_PROJECT",
    },
    apiKey: {
      ...API_KEY,
      schema: text(500),
      label: "API key",
      help: "Create a key for this site alone. When it changes, register the webhook again.",
      find: "Create one at the provider",
    },
  },
  apiKey: "apiKey",
  capabilities: bluefoxCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createBluefox } = await import("./adapter.ts");
    return createBluefox({
      baseUrl: url ?? API,
      project: () => settings().projectId,
      apiKey: () => settings().apiKey,
      fetch,
      now: () => clock.now(),
    });
  },
});
