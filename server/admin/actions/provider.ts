import { asSentence } from "../../provider/trouble.ts";
import { z } from "zod";
import { testConnection } from "../../ops/connection.ts";
import { loadLists } from "../../ops/lists.ts";
import { newWebhookSecret, type RegisterResult, registerWebhook } from "../../ops/webhook.ts";
import { changesBetween } from "../../audit/changes.ts";
import { type Action, defineAction } from "../action.ts";
import type { AdminServices } from "../services.ts";
import { Refusal } from "../refusal.ts";

/** Actions that call the provider. */
export const providerActions: Action[] = [
  defineAction({
    name: "cfbe_test_connection",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const report = await testConnection(app);
      const message = report.ok
        ? `Connected to project ${report.project}.`
        : `Connection failed: ${asSentence(report.reason)}`;
      return { message, data: report, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_load_lists",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const before = knownLists(app);
      const loaded = await loadLists(app);
      if (loaded.kind === "trouble") {
        throw new Refusal(502, "provider", `The provider could not be reached: ${asSentence(loaded.reason)}`);
      }
      const count = `${loaded.lists.length} list${loaded.lists.length === 1 ? "" : "s"} loaded`;
      const fixed = loaded.fixedBy
        ? `, but not stored, because the ${loaded.fixedBy} sets general.knownLists`
        : "";
      const changes = changesBetween(before, knownLists(app));
      return { message: `${count}${fixed}.`, data: loaded, stay: true, changes };
    },
  }),
  defineAction({
    name: "cfbe_register_webhook",
    capability: "operate",
    input: z.object({ replace: z.boolean().default(false) }),
    async run({ app }, { replace }) {
      const result = await registerWebhook(app, { replace });
      if (result.kind !== "registered") throw refused(result);
      const replaced = result.replaced === undefined ? "" : `, replacing ${result.replaced}`;
      return { message: `Webhook registered: ${result.webhook.url}${replaced}.`, data: result };
    },
  }),
  defineAction({
    name: "cfbe_new_webhook_secret",
    capability: "operate",
    input: z.object({ keepOld: z.boolean().default(false) }),
    async run({ app }, { keepOld }) {
      const result = await newWebhookSecret(app, { keepOld });
      if (result.kind === "fixed") {
        throw new Refusal(409, "fixed", `The secret is set by the ${result.by}. Change it there.`);
      }
      const old = result.previousUntil === undefined
        ? "The old secret is no longer accepted."
        : `The old secret is accepted until ${
          new Date(result.previousUntil).toISOString().slice(0, 16)
        } UTC.`;
      return {
        message: `New secret created. ${old} Update the header in your automations.`,
        data: result,
        stay: true,
      };
    },
  }),
];

function knownLists({ settings }: AdminServices) {
  const { knownLists } = settings.current().general;
  return { knownLists };
}

function refused(result: Exclude<RegisterResult, { kind: "registered" }>): Refusal {
  switch (result.kind) {
    case "foreign":
      return new Refusal(
        409,
        "foreign",
        `Another URL is registered: ${result.url}. Nothing was changed. Choose to replace it if it is no longer needed.`,
        { replace: result.url },
      );
    case "loopback":
      return new Refusal(409, "loopback", `The provider can't reach ${result.url}. Set CFBE_BASE_URL first.`);
    case "unsupported":
      return new Refusal(
        409,
        "unsupported",
        "This provider's webhook must be set up in the provider's dashboard.",
      );
    case "refused":
      return new Refusal(502, "provider", `The provider rejected the URL: ${asSentence(result.reason)}`);
    case "trouble":
      return new Refusal(502, "provider", `The provider could not be reached: ${asSentence(result.reason)}`);
  }
}
