import { z } from "zod";
import { secretFields, type Tab } from "../../settings/schema.ts";
import { TAB_TITLES, TABS } from "../../settings/tabs.ts";
import { SettingsConflict } from "../../settings/store.ts";
import { type Action, type ActionName, defineAction } from "../action.ts";
import type { AdminServices } from "../services.ts";
import { fixedWords } from "../fixed.ts";
import { nameOf } from "../../audit/actor_name.ts";
import { invalid, Refusal } from "../refusal.ts";

/** Those that no form saves: other actions do. */
const NOT_SAVED_WHOLE = new Set<Tab>(["webhooks"]);

const saveAction = (tab: Tab): ActionName => `cfbe_save_${tab}`;

/**
 * One action a tab. `fields` replaces the members it names and leaves the others; `null` unsets one. An empty secret
 * is the one that is kept; `remove` names those to forget.
 */
const tabActions: Action[] = TABS
  .filter((tab) => !NOT_SAVED_WHOLE.has(tab)).map((tab) =>
    defineAction({
      name: saveAction(tab),
      capability: "settings",
      input: z.object({
        version: z.string().max(40).optional(),
        fields: z.record(z.string(), z.unknown()),
        remove: z.record(z.string(), z.boolean()).default({}),
      }),
      async run({ app, actor }, { version, fields, remove }) {
        const next = { ...fields };
        for (const [of, field] of secretFields(app.settings.providers)) {
          if (of !== tab) continue;
          if (remove[field]) next[field] = null;
          else if (next[field] === "") delete next[field];
        }
        refuseFixed(app, tab, next);
        try {
          await app.settings.save(tab, next, { replace: true, expect: version, by: nameOf(actor) });
        } catch (error) {
          throw refusalOf(tab, error);
        }
        const title = TAB_TITLES[tab];
        return {
          message: `${title} ${title.endsWith("s") ? "are" : "is"} saved.`,
          data: app.settings.stateOf(tab),
        };
      },
    })
  );

/** The words of one language, beside those of all others; one in which nothing is set is no language of ours. */
const saveLocale = defineAction({
  name: "cfbe_save_form_locale",
  capability: "settings",
  input: z.object({
    version: z.string().max(40).optional(),
    locale: z.string().max(35),
    consentText: z.string().nullish(),
    texts: z.record(z.string(), z.string().nullish()).default({}),
  }),
  async run({ app, actor }, { version, locale, consentText, texts }) {
    await app.settings.refresh();
    const { form } = app.settings.current();
    const expect = version ?? app.settings.stateOf("form").version;
    const set = Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
    const empty = !consentText && Object.keys(set).length === 0;
    const own = { ...(consentText && { consentText }), texts: set };
    const locales = { ...form.locales, [locale]: empty ? null : own };
    refuseFixed(app, "form", { locales: [] });
    try {
      await app.settings.save("form", { locales }, { replace: true, expect, by: nameOf(actor) });
    } catch (error) {
      throw refusalOf("form", error, ["fields", "locales", locale]);
    }
    return { message: `The texts of ${locale} are saved.` };
  },
});

/** What is saved under something fixed would show no effect: that is said, not done. */
function refuseFixed(
  app: AdminServices,
  tab: Tab,
  fields: Record<string, unknown>,
): void {
  const wrong: Record<string, string> = {};
  for (const path of leavesOf(fields)) {
    const by = fixedWords(app, `${tab}.${path}`);
    if (by) wrong[`fields.${path}`] = `This is set by ${by}: change it there.`;
  }
  if (Object.keys(wrong).length > 0) {
    throw new Refusal(422, "fixed", "Nothing was saved: some of it is set elsewhere.", wrong);
  }
}

/** Paths of everything that is no object itself. */
function leavesOf(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? leavesOf(value as Record<string, unknown>).map((path) => `${name}.${path}`)
      : [name]
  );
}

/** @param form where in the settings the form's own fields begin */
function refusalOf(tab: Tab, error: unknown, form: readonly string[] = []): unknown {
  if (error instanceof SettingsConflict) {
    const { by = "Somebody else", at } = error.state;
    const when = at ? ` at ${new Date(at).toISOString().slice(11, 16)} UTC` : "";
    return new Refusal(
      409,
      "conflict",
      `${by} saved this tab${when}, after you had opened it. Nothing of yours was saved yet: what differs is shown ` +
        `below. Save again to put yours in its place.`,
    );
  }
  if (!(error instanceof z.ZodError)) return error;
  const own = new z.ZodError(error.issues.map((issue) => {
    if (issue.path[0] !== tab) return issue;
    const path = ["fields", ...issue.path.slice(1)];
    const inForm = form.length > 0 && form.every((step, index) => path[index] === step);
    return { ...issue, path: inForm ? path.slice(form.length) : path };
  }));
  return invalid(own);
}

export const settingsActions: Action[] = [...tabActions, saveLocale];
