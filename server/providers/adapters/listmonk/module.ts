import { z } from "zod";
import { defineProvider } from "../../module.ts";
import { listmonkCapabilities } from "./capabilities.ts";

const text = (max: number) => z.string().trim().max(max, `must be ${max} characters or less`).default("");

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
      find: "Copy it from the browser's address bar, without /admin",
      required: true,
      variable: "CFBE_PROVIDER_URL",
    },
    listmonkToken: {
      schema: text(500),
      label: "API user and token",
      help: "The name of an API user, a colon and its token, such as cfbe:Xn2p….",
      noun: "the API token",
      word: "key",
      find: "Create an API user at listmonk under Users",
      secret: true,
      required: true,
      variable: "CFBE_PROVIDER_API_KEY",
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
