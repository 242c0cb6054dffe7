import { z } from "zod";
import { testConnection } from "../../ops/connection.ts";
import { loadLists } from "../../ops/lists.ts";
import { newWebhookSecret, type RegisterResult, registerWebhook } from "../../ops/webhook.ts";
import { type Action, defineAction } from "../action.ts";
import { Refusal } from "../refusal.ts";

/** What is brought from the provider, and set up there. */
export const providerActions: Action[] = [
  defineAction({
    name: "cfbe_test_connection",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const report = await testConnection(app);
      const message = report.ok
        ? `The connection works: project ${report.project}.`
        : `The connection does not work: ${report.reason}.`;
      return { message, data: report, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_load_lists",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const loaded = await loadLists(app);
      if (loaded.kind === "trouble") {
        throw new Refusal(502, "provider", `The provider was asked in vain: ${loaded.reason}.`);
      }
      const count = `${loaded.lists.length} list${loaded.lists.length === 1 ? "" : "s"} loaded`;
      const fixed = loaded.fixedBy
        ? `, and not kept: general.knownLists is set by the ${loaded.fixedBy}`
        : "";
      return { message: `${count}${fixed}.`, data: loaded, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_register_webhook",
    capability: "operate",
    input: z.object({ replace: z.boolean().default(false) }),
    async run({ app }, { replace }) {
      const result = await registerWebhook(app, { replace });
      if (result.kind !== "registered") throw refused(result);
      const instead = result.replaced === undefined ? "" : ` instead of ${result.replaced}`;
      return { message: `The webhook leads to ${result.webhook.url} now${instead}.`, data: result };
    },
  }),
  defineAction({
    name: "cfbe_new_webhook_secret",
    capability: "operate",
    input: z.object({ keepOld: z.boolean().default(false) }),
    async run({ app }, { keepOld }) {
      const result = await newWebhookSecret(app, { keepOld });
      if (result.kind === "fixed") {
        throw new Refusal(409, "fixed", `The secret is set by the ${result.by}: change it there.`);
      }
      const old = result.previousUntil === undefined
        ? "The old one is refused from now on."
        : `The old one is taken until ${new Date(result.previousUntil).toISOString().slice(0, 16)} UTC.`;
      return {
        message: `There is a new secret. ${old} Put it into the automation's header.`,
        data: result,
        stay: true,
      };
    },
  }),
];

function refused(result: Exclude<RegisterResult, { kind: "registered" }>): Refusal {
  switch (result.kind) {
    case "foreign":
      return new Refusal(
        409,
        "foreign",
        `Another address is registered: ${result.url}. Nothing was changed; ask to replace it if nobody needs it.`,
        { replace: result.url },
      );
    case "loopback":
      return new Refusal(409, "loopback", `The provider can't reach ${result.url}: set CFBE_BASE_URL first.`);
    case "unsupported":
      return new Refusal(409, "unsupported", "This provider's webhook is set up in its own dashboard.");
    case "refused":
      return new Refusal(502, "provider", `The provider refused the address: ${result.reason}.`);
    case "trouble":
      return new Refusal(502, "provider", `The provider was asked in vain: ${result.reason}.`);
  }
}
