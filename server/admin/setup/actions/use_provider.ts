import { capitalized } from "../../../platform/words/capitalized.ts";
import { docPage } from "../../../platform/words/doc_page.ts";
import { z } from "zod";
import { knownListsOf, noteListsSource } from "../../../operations/provider/lists.ts";
import type { ProviderList } from "../../../providers/port/port.ts";
import { asSentence } from "../../../providers/port/trouble.ts";
import { moduleNamed } from "../../../settings/store/provider.ts";
import { SANDBOX } from "../../../providers/providers.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { defineAction } from "../../frame/action.ts";
import type { TabEdit } from "../../../settings/forms/form_edits.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";
import { lockedBy } from "../../frame/setting_lock.ts";
import { refuseMissing } from "./missing_settings.ts";
import { saveTabs } from "../../frame/save_tab.ts";

const ListId = z.string().min(1).max(200);

/**
 * Chooses another provider together with the lists to use there, so that no signup is delivered to a list of the old
 * one. Until it has succeeded, nothing changes for visitors.
 */
export const useProvider = defineAction({
  name: "cfbe_use_provider",
  title: "Switch provider",
  group: "provider",
  capability: "settings",
  input: z.object({
    provider: z.string().max(64),
    defaultList: ListId,
    /** The new list for each list that a form, the popup, the checkout or the coupons use. */
    lists: z.array(z.object({ from: ListId, to: ListId })).max(500).default([]),
  }),
  async run(context, { provider: name, defaultList, lists }) {
    const { app } = context;
    const { settings } = app;
    await settings.refresh();
    const title = refuseUnusable(app, name);
    refuseFixed(app, [{ tab: "general", fields: { provider: name, defaultList } }]);
    const found = await app.providerNamed(name)!.lists();
    if (found.kind === "trouble") {
      throw new Refusal(502, "provider", `The request to ${title} failed: ${asSentence(found.reason)}`);
    }
    const renamed = new Map(lists.map(({ from, to }) => [from, to]));
    refuseUnknown([defaultList, ...renamed.values()], found.lists, title);
    const general = { provider: name, defaultList, knownLists: knownListsOf(found.lists) };
    const ownLists = replacedLists(settings.current(), (list) => renamed.get(list) ?? "");
    const edits: TabEdit[] = [{ tab: "general", fields: general }, ...ownLists];
    refuseFixed(app, edits);
    // One commit, so that no signup ever goes to a list of another provider.
    const versioned = edits.map((edit) => ({ ...edit, version: settings.stateOf(edit.tab).version }));
    const changes = await saveTabs(context, versioned);
    await noteListsSource(app.kv, name);
    const message = `New signups go to ${title} from now on.`;
    return { message, to: "/provider", data: { provider: name, defaultList }, changes };
  },
});

/** Returns the provider's title. @throws {Refusal} if it cannot be chosen */
function refuseUnusable({ settings }: AdminServices, name: string): string {
  const module = name === SANDBOX ? undefined : moduleNamed(name, settings.providers);
  if (!module) {
    const known = Object.keys(settings.providers).join(", ");
    throw new Refusal(422, "invalid", `There is no provider ${name}. Choose one of: ${known}.`);
  }
  if (name === settings.current().general.provider) {
    throw new Refusal(409, "not_now", `${module.title} is the provider already.`);
  }
  refuseMissing(settings, name);
  return module.title;
}

function refuseUnknown(ids: readonly string[], lists: readonly ProviderList[], title: string): void {
  const unknown = ids.find((id) => lists.every((list) => list.id !== id));
  if (unknown !== undefined) throw new Refusal(422, "invalid", `${title} has no list ${unknown}.`);
}

/** @throws {Refusal} before anything is saved, if the environment or the config file sets something to change */
function refuseFixed(app: AdminServices, edits: readonly TabEdit[]): void {
  const paths = edits.flatMap(({ tab, fields }) => Object.keys(fields).map((field) => `${tab}.${field}`));
  for (const path of paths) {
    const by = lockedBy(app, path);
    if (by) {
      const how = `${
        capitalized(docPage("provider"))
      } says how to let the settings choose the provider, without losing signups`;
      throw new Refusal(422, "fixed", `${path} is set by ${by}, so nothing can be switched here. ${how}.`);
    }
  }
}

/**
 * Returns the changes that replace each list other than the default one.
 *
 * @param replaced returns the new list; empty for the default list
 */
function replacedLists(
  { popup, checkout, coupon, forms }: Settings,
  replaced: (list: string) => string,
): TabEdit[] {
  const tabs = { popup, checkout, coupon };
  const single = (Object.keys(tabs) as (keyof typeof tabs)[])
    .filter((tab) => tabs[tab].list !== "")
    .map((tab): TabEdit => ({ tab, fields: { list: replaced(tabs[tab].list) } }));
  if (forms.forms.every(({ list }) => list === "")) return single;
  const all = forms.forms.map((form) => form.list === "" ? form : { ...form, list: replaced(form.list) });
  return [...single, { tab: "forms", fields: { forms: all } }];
}
