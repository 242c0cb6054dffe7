import type { AuditChange } from "../../platform/audit/changes.ts";
import { settingsOf, type Tab } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";

/** The general settings that the General page has. The others are on the Provider page. */
const ON_GENERAL_PAGE = ["origins", "timeZone", "modules"];

/**
 * Returns a sentence about what was saved. Several pages save a part of the general settings.
 *
 * @param names names of the saved settings of the tab
 */
export function savedText(tab: Tab, names: readonly string[], changes: readonly AuditChange[]): string {
  if (tab === "forms") return "Forms saved.";
  if (tab === "form") return "Form settings saved.";
  if (tab !== "general" || names.length === 0) return `${TAB_TITLES[tab]} settings saved.`;
  if (names.every((name) => name === "modules")) return modulesText(changes);
  if (names.every((name) => name === "defaultList")) return "Default list saved.";
  const title = names.some((name) => ON_GENERAL_PAGE.includes(name)) ? TAB_TITLES.general : "Provider";
  return `${title} settings saved.`;
}

function modulesText(changes: readonly AuditChange[]): string {
  const texts = settingsOf().flatMap(({ path, about }) => {
    const change = changes.find((each) => `general.${each.path}` === path);
    return change ? [`${about.label} turned ${change.after}.`] : [];
  });
  return texts.length > 0 ? texts.join(" ") : "Modules saved.";
}
