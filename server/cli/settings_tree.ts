import { cfbeCommand } from "../platform/config/cfbe_command.ts";
import { jsonSchemaOf, type Setting } from "../platform/config/setting.ts";
import { closestName } from "../platform/words/closest_name.ts";
import { z } from "zod";
import type { ShownSettings } from "../operations/remote/settings.ts";
import { type Layer, overlay } from "../settings/store/precedence.ts";
import { settingsOf, SettingsSchema, type Tab } from "../settings/schema/schema.ts";
import { TABS } from "../settings/store/tabs.ts";
import { ClientError, EXIT } from "./client/error.ts";

type Tree = Record<string, unknown>;
type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The tab that belongs to this installation. `cfbe webhook register` changes it. */
const OWN_TAB = "webhooks";

/** The setting that has actions of its own: saving the popup keeps it. */
const OWN_ACTIONS = "popup.experiment";

/** Returns the value at a path like `popup.triggers.delaySeconds`, or undefined. */
export function leaf(tree: unknown, path: string): unknown {
  let value = tree;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Tree)[step];
  }
  return value;
}

/** What to save: a tab, and the field of it that contains the setting. */
interface TabFields {
  tab: Tab;
  fields: Layer;
}

/**
 * Returns what to save so that the setting at a path gets a value.
 *
 * @param text as typed: kept as it is if the setting is a text, otherwise parsed as JSON if possible. For a list, entries
 *   separated by commas are enough.
 * @throws {ClientError} if there is no such setting
 */
export function memberWith(shown: ShownSettings, path: string, text: string): TabFields {
  const isSecret = Object.hasOwn(shown.secrets, path);
  return memberSet(shown, path, isSecret ? text : typed(leaf(shown.settings, path), path, text));
}

/** Returns what to save so that the setting at a path is no longer saved. @throws {ClientError} like `memberWith` */
export function memberWithout(shown: ShownSettings, path: string): TabFields {
  return memberSet(shown, path, null);
}

function memberSet(shown: ShownSettings, path: string, value: unknown): TabFields {
  const { settings } = shown;
  const [tab, member, ...deeper] = path.split(".");
  if (!TABS.includes(tab as Tab)) {
    throw new ClientError(`Unknown settings group ${tab}. Groups: ${TABS.join(", ")}.`, EXIT.notFound);
  }
  if (tab === OWN_TAB) {
    throw new ClientError(
      `Change the webhook with \`${cfbeCommand()} webhook register\` or \`${cfbeCommand()} webhook secret\`.`,
      EXIT.usage,
    );
  }
  if (member === undefined) {
    throw new ClientError(
      `Name a setting in ${tab}: ${namesIn(shown, tab as Tab).join(", ")}.`,
      EXIT.usage,
    );
  }
  if (!namesIn(shown, tab as Tab).includes(member)) throw unknownSetting(shown, path);
  if (`${tab}.${member}` === OWN_ACTIONS) {
    throw new ClientError("Change the popup's experiment on its page in the admin.", EXIT.usage);
  }
  const fields = settings[tab as Tab];
  return {
    tab: tab as Tab,
    fields: { [member]: deeper.length === 0 ? value : within(fields[member], deeper, value) },
  };
}

/** Returns the names of a group's settings, including secrets and those that have no value. */
function namesIn({ settings, secrets }: ShownSettings, tab: Tab): string[] {
  const paths = [...Object.keys(secrets), ...settingsOf().filter(isShown).map(({ path }) => path)];
  const ofTab = paths.filter((path) => path.startsWith(`${tab}.`));
  return [...new Set([...Object.keys(settings[tab]), ...ofTab.map((path) => path.split(".")[1]!)])];
}

const isShown = ({ about }: Setting) => !about.internal;

/** Returns whether a setting without a default is at a path. */
export function isDeclared(path: string): boolean {
  return settingsOf().some((setting) => setting.path === path && isShown(setting));
}

/** Returns the error for a path without a setting. It names the setting that may be meant. */
export function unknownSetting(shown: ShownSettings, path: string): ClientError {
  return unknownAmong(
    TABS.flatMap((tab) => [tab, ...namesIn(shown, tab).map((name) => `${tab}.${name}`)]),
    path,
  );
}

/** The same among these settings. */
export function unknownAmong(known: readonly string[], path: string): ClientError {
  const meant = closestName(path, known);
  const question = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ClientError(`Unknown setting ${path}.${question}`, EXIT.notFound);
}

function typed(now: unknown, path: string, text: string): unknown {
  if (typeof now === "string" || (now === undefined && declaredType(path) === "string")) return text;
  const value = parsed(text);
  const isList = Array.isArray(now) || (now === undefined && declaredType(path) === "array");
  if (!isList || typeof value === "object") return value;
  return text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** Returns the JSON type of a setting, or of a member of its value. Undefined if it can have several. */
function declaredType(path: string): JsonSchema["type"] {
  const setting = settingsOf().find((each) => path === each.path || path.startsWith(`${each.path}.`));
  if (!setting) return undefined;
  const members = path.slice(setting.path.length).split(".").slice(1);
  return members.reduce(memberOf, jsonSchemaOf(setting) as JsonSchema | undefined)?.type;
}

function memberOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties = {}, additionalProperties, items } = schema ?? {};
  const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties ?? items;
  return typeof member === "object" && !Array.isArray(member) ? member : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a copy of `tree` with `value` at the path. Missing levels are created. */
function within(tree: unknown, [step, ...deeper]: string[], value: unknown): unknown {
  const isArray = Array.isArray(tree);
  const copy = (isArray ? [...tree] : { ...tree as Tree }) as Tree;
  copy[step!] = deeper.length === 0 ? value : within(copy[step!], deeper, value);
  return copy;
}

/** Returns the settings without those that belong to this installation. */
export function portable(settings: ShownSettings["settings"]): Partial<ShownSettings["settings"]> {
  const { webhooks: _, ...rest } = settings;
  return rest;
}

/** @throws {ClientError} if the text is not a settings file */
export function readTree(text: string): Tree {
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    throw new ClientError(`Not valid JSON: ${(error as Error).message}`);
  }
  const read = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(tree);
  if (!read.success) {
    throw new ClientError(
      `Not a file made by \`${cfbeCommand()} settings export\`: expected groups of settings.`,
    );
  }
  return read.data;
}

/**
 * Returns the settings of a file that differ from the current ones, by tab, and a note for each that cannot be changed.
 *
 * @throws {ClientError} naming every invalid setting
 */
export function changesIn(
  tree: Tree,
  { settings, fixed }: ShownSettings,
): { saves: [Tab, Layer][]; notes: string[] } {
  const notes: string[] = [];
  const wanted: Layer = {};
  for (const [tab, fields] of Object.entries(tree)) {
    if (tab === OWN_TAB) {
      notes.push("webhooks: skipped, because it belongs to this installation");
      continue;
    }
    const changed = Object.entries(fields as Tree).filter(([member, value]) => {
      if (JSON.stringify(settings[tab as Tab]?.[member]) === JSON.stringify(value)) return false;
      if (`${tab}.${member}` === OWN_ACTIONS) {
        notes.push(`${OWN_ACTIONS}: skipped, because experiments with the popup are created in the admin`);
        return false;
      }
      const by = fixed[`${tab}.${member}`];
      if (by) notes.push(`${tab}.${member}: skipped, because the ${by} sets it`);
      return !by;
    });
    if (changed.length > 0) wanted[tab] = Object.fromEntries(changed);
  }
  const whole = Object.entries(overlay(settings, {})).map(([tab, fields]) =>
    [tab, { ...fields as Tree, ...(wanted[tab] as Tree | undefined) }] as const
  );
  const extra = Object.entries(wanted).filter(([tab]) => !TABS.includes(tab as Tab));
  const checked = SettingsSchema.safeParse(Object.fromEntries([...whole, ...extra]));
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
    throw new ClientError(["Nothing was saved. Invalid settings:", ...problems].join("\n"));
  }
  return { saves: Object.entries(wanted) as [Tab, Layer][], notes };
}
