import { counted } from "../../../platform/words/counted.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { zonedMomentText } from "../../frame/dates.ts";
import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { testConnection } from "../../../operations/doctor/doctor.ts";
import { loadLists } from "../../../operations/provider/lists.ts";
import { noteConnection } from "../../../operations/provider/latest_tests.ts";
import { sendTestSignup, type TestSignupResult } from "../../../operations/remote/test_signup.ts";
import {
  newWebhookSecret,
  type RegisterResult,
  registerWebhook,
} from "../../../operations/provider/webhook.ts";
import { asSentence } from "../../../providers/port/trouble.ts";
import { apiKeyOf, withProvider } from "../../../settings/store/provider.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { refuseMissing } from "./missing_settings.ts";
import { encryptQuery } from "../../frame/encrypted_query.ts";
import type { AdminServices } from "../../frame/services.ts";
import { Refusal } from "../../frame/refusal.ts";

const NOT_ACCEPTING =
  "No signup is accepted now. Complete the steps above, and activate cfbe if it is deactivated.";

/** Actions that call the provider. */
export const providerActions: Action[] = [
  defineAction({
    name: "cfbe_test_connection",
    title: "Test connection",
    group: "provider",
    capability: "operate",
    /** `provider` is one that is not chosen yet; by default, the chosen one. */
    input: z.object({ provider: z.string().max(64).optional() }),
    async run({ app }, { provider: name = app.settings.current().general.provider }) {
      const report = await testConnection(connectionOf(app, name));
      await noteConnection(app, name, report);
      const message = report.ok
        ? `Connected to ${report.project}.`
        : `Connection failed: ${asSentence(report.reason)}`;
      return { message, data: report, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_load_lists",
    title: "Load lists",
    group: "provider",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      refuseMissing(app.settings, app.settings.current().general.provider);
      const before = knownLists(app);
      const loaded = await loadLists(app);
      if (loaded.kind === "trouble") {
        throw new Refusal(
          502,
          "provider",
          `The request to the provider failed: ${asSentence(loaded.reason)}`,
        );
      }
      const count = `${counted(loaded.lists.length, "list")} loaded`;
      const fixed = loaded.fixedBy
        ? `, but not stored, because the ${loaded.fixedBy} sets general.knownLists`
        : "";
      const changes = changesBetween(before, knownLists(app));
      return { message: `${count}${fixed}.`, data: loaded, stay: true, changes };
    },
  }),
  defineAction({
    name: "cfbe_register_webhook",
    title: "Register webhook",
    group: "provider",
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
    name: "cfbe_send_test_signup",
    title: "Send test signup",
    group: "provider",
    capability: "operate",
    input: z.object({ email: z.string().max(300) }),
    target: ({ email }) => normalizeEmail(email),
    async run({ app }, { email: entered }) {
      const email = normalizeEmail(entered);
      if (email === undefined) throw invalidEmail("Enter a valid email address.");
      if (!app.acceptsSignups()) {
        throw new Refusal(409, "not_now", `Nothing was sent. ${NOT_ACCEPTING}`);
      }
      const result = await sendTestSignup(app, email);
      if (result.kind !== "accepted") throw notSent(result);
      const query = await encryptQuery(app, [["email", email]]);
      return { message: "Test signup accepted.", to: `/provider${query}` };
    },
  }),
  defineAction({
    name: "cfbe_new_webhook_secret",
    title: "Create webhook secret",
    group: "provider",
    capability: "operate",
    input: z.object({ keepOld: z.boolean().default(false) }),
    async run({ app }, { keepOld }) {
      const isFirst = app.settings.current().webhooks.secret === "";
      const result = await newWebhookSecret(app, { keepOld });
      if (result.kind === "fixed") {
        throw new Refusal(409, "fixed", `The secret is set by the ${result.by}. Change it there.`);
      }
      const zone = siteZone(app.settings.current());
      const old = result.previousUntil === undefined
        ? "The old secret is no longer accepted."
        : `The old secret is accepted until ${zonedMomentText(result.previousUntil, zone)} (${zone}).`;
      return {
        message: isFirst
          ? "Secret created. Add it to your automations as the header X-CFBE-Secret."
          : `New secret created. ${old} Update the header in your automations.`,
        data: result,
        stay: true,
      };
    },
  }),
];

/** Returns what a connection test of a provider needs. */
function connectionOf(app: AdminServices, name: string): Parameters<typeof testConnection>[0] {
  const { config, provider, settings } = app;
  if (name === settings.current().general.provider) return { config, provider, settings };
  const other = app.providerNamed(name);
  if (!other) throw new Refusal(422, "invalid", `There is no provider ${name}.`);
  const current = () => withProvider(settings.current(), name);
  const { providers } = settings;
  return {
    config,
    provider: other,
    settings: { current, providers, apiKey: () => apiKeyOf(current(), providers) },
  };
}

function knownLists({ settings }: AdminServices) {
  const { knownLists } = settings.current().general;
  return { knownLists };
}

function invalidEmail(problem: string): Refusal {
  return new Refusal(422, "invalid", "Nothing was sent. Please correct the highlighted field.", {
    email: problem,
  });
}

function notSent(result: Exclude<TestSignupResult, { kind: "accepted" }>): Refusal {
  switch (result.kind) {
    case "known":
      return invalidEmail(
        "This address has signed up before. Use another one, such as you+test1@example.com.",
      );
    case "limited":
      return new Refusal(
        429,
        "rate_limited",
        `This mailbox has had too many signups. Try again in ${
          Math.ceil(result.retryAfterMs / 60_000)
        } minutes, or use another address.`,
      );
    case "filtered":
      return new Refusal(409, "filtered", "Your cfbe_signup filter dropped the test signup.");
    case "refused":
      return new Refusal(409, "not_now", `The test signup was rejected. ${NOT_ACCEPTING}`);
  }
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
    case "none":
      return new Refusal(
        409,
        "unsupported",
        "The provider sends no webhooks. Polling finds confirmations within 15 minutes.",
      );
    case "unsupported":
      return new Refusal(
        409,
        "unsupported",
        "This provider's webhook must be set up in the provider's dashboard.",
      );
    case "refused":
      return new Refusal(502, "provider", `The provider rejected the URL: ${asSentence(result.reason)}`);
    case "trouble":
      return new Refusal(502, "provider", `The request to the provider failed: ${asSentence(result.reason)}`);
  }
}
