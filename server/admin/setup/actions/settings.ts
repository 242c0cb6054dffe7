import { z } from "zod";
import { FORM_TABS } from "../../../settings/schema/form_schema.ts";
import { withRenamedDefaults } from "../../../settings/forms/renamed_choices.ts";
import { secretFields, type Tab } from "../../../settings/schema/schema.ts";
import { TAB_TITLES, TABS } from "../../../settings/store/tabs.ts";
import { problemsIn } from "../../../operations/checks/registry.ts";
import { settingsValues } from "../../../operations/checks/values.ts";
import { type Action, type ActionName, defineAction } from "../../frame/action.ts";
import type { Capability } from "../../auth/capability.ts";
import type { AdminServices } from "../../frame/services.ts";
import { contrastOf, withContrast } from "../../frame/contrast.ts";
import { savedText } from "../../frame/saved_text.ts";
import { saveTab } from "../../frame/save_tab.ts";
import { withoutMissingImages } from "../../../forms/images/missing_images.ts";

/** Tabs that other actions save. */
const NOT_SAVED_WHOLE = new Set<Tab>(["popup", "webhooks"]);

/** Tabs that turn on or configure the modules for shops. */
const SHOP_TABS = new Set<Tab>(["general", "coupon", "checkout", "carts"]);

/** Returns the capability to save a tab. */
const capabilityOf = (tab: Tab): Capability =>
  tab === "coupon" || FORM_TABS.some((each) => each === tab) ? "forms" : "settings";

const saveAction = (tab: Tab): ActionName => `cfbe_save_${tab}`;

/**
 * One action per tab. `fields` replaces the members it names; `null` resets one. An empty secret keeps the stored one;
 * `remove` names the secrets to delete.
 */
const tabActions: Action[] = TABS
  .filter((tab) => !NOT_SAVED_WHOLE.has(tab)).map((tab) =>
    defineAction({
      name: saveAction(tab),
      title: `Settings: ${TAB_TITLES[tab]}`,
      group: "settings",
      capability: capabilityOf(tab),
      input: z.object({
        version: z.string().max(40).optional(),
        fields: z.record(z.string(), z.unknown()),
        remove: z.record(z.string(), z.boolean()).default({}),
      }),
      async run(context, { version, fields, remove }) {
        const { app } = context;
        await app.settings.refresh();
        const { fields: next, note } = await withoutMissingImages(app, tab, { ...fields });
        for (const [of, field] of secretFields(app.settings.providers)) {
          if (of !== tab) continue;
          if (remove[field]) next[field] = null;
          else if (next[field] === "") delete next[field];
        }
        const edit = tab === "form" && app.settings.fixedBy("form.locales") === undefined
          ? { tab, fields: withRenamedDefaults(app.settings.current(), next), fixedBy: next }
          : { tab, fields: next };
        const changes = await saveTab(context, edit, { version });
        const saved = savedText(tab, Object.keys(next), changes);
        const message = [saved, ...note === undefined ? [] : [note], ...incompleteTexts(app, tab)].join(" ");
        return {
          ...withContrast(message, changes, () => contrastOf(app.settings.current(), {})),
          data: app.settings.stateOf(tab),
          changes,
        };
      },
    })
  );

/** Returns sentences about what does not work with these settings until something else is changed. */
function incompleteTexts(app: AdminServices, tab: Tab): string[] {
  if (!SHOP_TABS.has(tab)) return [];
  return problemsIn(
    settingsValues(app),
    ({ pages, doctor }) => pages && doctor === "the shop is connected",
  ).map(({ what }) => what);
}

export const settingsActions: Action[] = tabActions;
