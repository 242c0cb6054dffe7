import { API_KEY, defineProvider, text } from "../../module.ts";
import { listmonkCapabilities } from "./capabilities.ts";

export const listmonk = defineProvider({
  title: "listmonk",
  docs: "docs/listmonk.md",
  evidence: { grade: "live", date: "2026-11-22" },
  fields: {
    listmonkUrl: {
      schema: text(300),
      label: "URL",
      help: "The address of your listmonk, such as https://lists.example.com.",
      noun: "listmonk's URL",
      word: "url",
      url: "api",
      find: "Copy it from the browser's address bar, without /admin",
      required: true,
      variable: "CFBE_PROVIDER_URL",
    },
    listmonkToken: {
      ...API_KEY,
      schema: text(500),
      label: "API user and token",
      help: "The name of an API user, a colon and its token, such as cfbe:Xn2p….",
      noun: "the API token",
      find: "Create an API user at listmonk under Users",
    },
  },
  apiKey: "listmonkToken",
  capabilities: listmonkCapabilities,
  async create({ settings, url, fetch, clock }) {
    const { createListmonk } = await import("./adapter.ts");
    return createListmonk({
      baseUrl: () => url ?? settings().listmonkUrl,
      token: () => settings().listmonkToken,
      fetch,
      now: () => clock.now(),
    });
  },
});
