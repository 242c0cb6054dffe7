import { counted } from "../../../platform/words/counted.ts";
import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { countUnreachable, endUnreachable } from "../../../signup/confirm/unreachable.ts";
import { SANDBOX } from "../../../providers/providers.ts";
import { keyOfOther } from "../../../settings/store/provider.ts";
import { previewMigration } from "../../../subscribers/migration/preview.ts";
import { cancelMigration, startMigration } from "../../../subscribers/migration/run.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";

const Lists = z.record(z.string().min(1).max(200), z.string().min(1).max(200))
  .refine((lists) => Object.keys(lists).length > 0);

/** Actions that move subscribers to the provider of the settings. */
export const migrationActions: Action[] = [
  defineAction({
    name: "cfbe_migrate_provider",
    title: "Move subscribers to provider",
    group: "provider",
    capability: "operate",
    asksPassword: true,
    input: z.object({ from: z.string(), lists: Lists, dryRun: z.boolean().default(false) }),
    async run({ app, actor }, { from: name, lists, dryRun }) {
      const to = app.settings.current().general.provider;
      if (name === SANDBOX) {
        throw new Refusal(422, "invalid", "Subscribers of the sandbox are test data: they can't be moved.");
      }
      const known = Object.hasOwn(app.settings.providers, name);
      if (!known || name === to) {
        const message = `\`from\` must be the old provider. The new one, ${to}, is that of the settings.`;
        throw new Refusal(422, "invalid", message);
      }
      const hasKey = keyOfOther(app.settings.current(), name, app.settings.providers) !== undefined;
      const from = hasKey ? app.providerNamed(name) : undefined;
      if (!from) {
        throw new Refusal(409, "not_now", `The settings of ${name} are incomplete. Enter its API key first.`);
      }
      if (!app.activation.isActive()) {
        throw new Refusal(409, "not_now", "cfbe is deactivated. Activate it first.");
      }
      const preview = await previewMigration({ ...app, from }, lists);
      if ("problem" in preview) throw new Refusal(409, "not_now", preview.problem);
      const { total } = preview;
      const started = await startMigration(app, { from: name, to, lists, dryRun, by: nameOf(actor), total });
      if (!started) throw new Refusal(409, "not_now", "A move is already running. Wait, or cancel it.");
      const message = dryRun
        ? `Dry run for ${counted(total, "subscriber")} started. Nobody is moved.`
        : `Move of ${counted(total, "subscriber")} from ${name} to ${to} started.`;
      return { message, data: preview };
    },
  }),
  defineAction({
    name: "cfbe_cancel_migration",
    title: "Cancel move to provider",
    group: "provider",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      if (!await cancelMigration(app)) throw new Refusal(409, "not_now", "No move is running.");
      return { message: "Move canceled. Whoever was moved stays at both providers." };
    },
  }),
  defineAction({
    name: "cfbe_end_confirmations",
    title: "End open confirmations",
    group: "provider",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      const ended = await endUnreachable(app);
      const more = (await countUnreachable(app, 1)).length > 0 ? " There are more: end them too." : "";
      return { message: `Ended ${counted(ended, "open confirmation")}.${more}` };
    },
  }),
];
