import { z } from "zod";
import { secretFields, type Tab } from "../../settings/schema.ts";
import { TAB_TITLES, TABS } from "../../settings/tabs.ts";
import { type SavedTab, SettingsConflict } from "../../settings/store.ts";
import { type AuditChange, changesBetween } from "../../audit/changes.ts";
import { incompleteModules } from "../../alerts/incomplete_modules.ts";
import { type Action, type ActionName, defineAction } from "../action.ts";
import type { AdminServices } from "../services.ts";
import { incompleteText } from "../../alerts/incomplete_module_texts.ts";
import { requiredInOwnMarkup } from "../own_markup_texts.ts";
import { lockedBy } from "../setting_lock.ts";
import { languageName } from "../pages/language_name.ts";
import { nameOf } from "../../audit/actor_name.ts";
import { invalid, Refusal } from "../refusal.ts";

/** Tabs that other actions save. */
const NOT_SAVED_WHOLE = new Set<Tab>(["webhooks"]);

/** Tabs that turn on or configure the modules for shops. */
const SHOP_TABS = new Set<Tab>(["general", "coupon", "checkout", "carts"]);

const saveAction = (tab: Tab): ActionName => `cfbe_save_${tab}`;

/**
 * One action per tab. `fields` replaces the members it names; `null` resets one. An empty secret keeps the stored one;
 * `remove` names the secrets to delete.
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
        const how = { replace: true, expect: version, by: nameOf(actor) };
        const saved = await app.settings.save(tab, next, how).catch((error) => {
          throw refusalOf(tab, error);
        });
        return {
          message: savedMessage(app, tab),
          data: app.settings.stateOf(tab),
          changes: changesOf(saved),
        };
      },
    })
  );

/** Returns what was saved, and what does not work with these settings until something else is changed. */
function savedMessage({ settings, shop }: AdminServices, tab: Tab): string {
  if (tab === "forms") return "Forms saved.";
  // The Form fields page and the Texts page both save this tab.
  if (tab === "form") {
    return ["Form settings saved.", requiredInOwnMarkup(settings.current().form) ?? ""].join(" ").trim();
  }
  const incomplete = SHOP_TABS.has(tab) ? incompleteModules(settings.current(), shop()) : [];
  return [`${TAB_TITLES[tab]} settings saved.`, ...incomplete.map(incompleteText)].join(" ");
}

/**
 * Saves the texts of one language. A language without any text is removed. `interests`, `forms` and `popup` stay as they
 * are if the input does not name them.
 */
const saveLocale = defineAction({
  name: "cfbe_save_form_locale",
  capability: "settings",
  input: z.object({
    version: z.string().max(40).optional(),
    locale: z.string().max(35),
    consentText: z.string().nullish(),
    texts: z.record(z.string(), z.string().nullish()).default({}),
    interests: z.array(z.record(z.string(), z.unknown())).optional(),
    forms: z.array(z.record(z.string(), z.unknown())).optional(),
    popup: z.record(z.string(), z.unknown()).optional(),
  }),
  async run({ app, actor }, { version, locale, consentText, texts, ...rest }) {
    await app.settings.refresh();
    const { form } = app.settings.current();
    const expect = version ?? app.settings.stateOf("form").version;
    const before = Object.hasOwn(form.locales, locale) ? form.locales[locale] : undefined;
    const { interests = before?.interests, forms = before?.forms, popup = before?.popup } = rest;
    const own = {
      ...(consentText && { consentText }),
      texts: withoutEmpty(texts),
      // Rows without text stay if another row has one, so that the path of an error is that of its field.
      ...(interests?.some(({ label }) => label) && {
        interests: interests.map(({ label, ...row }) => ({ ...row, label: label ?? "" })),
      }),
      ...(forms?.some(({ name: _, ...row }) => hasText(row)) && { forms: forms.map(withoutEmpty) }),
      ...(popup && hasText(popup) && { popup: withoutEmpty(popup) }),
    };
    const empty = Object.keys(own).length === 1 && !hasText(own.texts);
    const locales = { ...form.locales, [locale]: empty ? null : own };
    refuseFixed(app, "form", { locales: [] });
    const how = { replace: true, expect, by: nameOf(actor) };
    const saved = await app.settings.save("form", { locales }, how).catch((error) => {
      throw refusalOf("form", error, ["fields", "locales", locale]);
    });
    return { message: `Texts saved for ${languageName(locale)}.`, changes: changesOf(saved) };
  },
});

/** Returns what a save has changed, for the audit log. Secrets are named without their values. */
function changesOf({ before, after, secrets }: SavedTab): AuditChange[] {
  return [
    ...changesBetween(before, after),
    ...Object.entries(secrets).map(([path, secret]) => ({ path, secret })),
  ];
}

function withoutEmpty(texts: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
}

function hasText(texts: object): boolean {
  return Object.values(texts).some(Boolean);
}

/** @throws {Refusal} for fields that the environment or the config file sets: saving them would have no effect */
function refuseFixed(
  app: AdminServices,
  tab: Tab,
  fields: Record<string, unknown>,
): void {
  const wrong: Record<string, string> = {};
  for (const path of leavesOf(fields)) {
    const by = lockedBy(app, `${tab}.${path}`);
    if (by) wrong[`fields.${path}`] = `Set by ${by}. Change it there.`;
  }
  if (Object.keys(wrong).length > 0) {
    throw new Refusal(
      422,
      "fixed",
      "Nothing was saved. Some of these settings are set by the environment or the config file.",
      wrong,
    );
  }
}

/** Returns the paths of all values that are not objects. */
function leavesOf(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? leavesOf(value as Record<string, unknown>).map((path) => `${name}.${path}`)
      : [name]
  );
}

/** Converts an error of the settings store. @param form path in the settings at which the form's own fields begin */
function refusalOf(tab: Tab, error: unknown, form: readonly string[] = []): unknown {
  if (error instanceof SettingsConflict) {
    const { by = "Someone else", at } = error.state;
    const when = at ? ` at ${new Date(at).toISOString().slice(11, 16)} UTC` : "";
    return new Refusal(
      409,
      "conflict",
      `${by} changed these settings${when} while you were editing. Nothing has been saved yet. Differences are shown ` +
        `below; save again to overwrite them.`,
    );
  }
  if (!(error instanceof z.ZodError)) return error;
  // A form that asks for consent without a text is reported on its own tab and on the one with the default text.
  const ofTab = error.issues.filter(({ path }) => path[0] === tab);
  const relocated = new z.ZodError((ofTab.length > 0 ? ofTab : error.issues).map((issue) => {
    if (issue.path[0] !== tab) return issue;
    const path = ["fields", ...issue.path.slice(1)];
    const inForm = form.length > 0 && form.every((step, index) => path[index] === step);
    return { ...issue, path: inForm ? path.slice(form.length) : path };
  }));
  return invalid(relocated);
}

export const settingsActions: Action[] = [...tabActions, saveLocale];
