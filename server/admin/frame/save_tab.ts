import type { AtomicOperation } from "../../platform/kv/port.ts";
import { zonedTimeText } from "./dates.ts";
import { z } from "zod";
import { nameOf } from "../../platform/audit/actor_name.ts";
import { type AuditChange, changesBetween } from "../../platform/audit/changes.ts";
import { formTitle } from "../../settings/forms/all_forms.ts";
import type { Settings, Tab } from "../../settings/schema/schema.ts";
import { type SavedTab, SettingsConflict } from "../../settings/store/saves.ts";
import { urlProblem } from "../../settings/store/provider.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import type { ActionContext } from "./action.ts";
import { capabilitiesOf } from "../auth/actor.ts";
import type { Capability } from "../auth/capability.ts";
import { FORM_MEMBERS } from "../../settings/schema/form_members.ts";
import { changedMembers } from "../auth/form_capabilities.ts";
import type { TabEdit } from "../../settings/forms/form_edits.ts";
import { settingTitle } from "./setting_title.ts";
import { invalid, invalidFields, Refusal } from "./refusal.ts";
import { mixingChanges } from "../../settings/forms/running_changes.ts";
import { lockedBy } from "./setting_lock.ts";
import type { AdminServices } from "./services.ts";

/** The capabilities that members of forms need. */
const NEEDED: Capability[] = [...new Set(Object.values(FORM_MEMBERS).map(({ capability }) => capability))];

/** Adds what belongs together with a save to its commit. */
type Within = (tx: AtomicOperation) => void;

/**
 * Saves a change for an action.
 *
 * @param options.version version of the tab that the user has seen; any version if not given
 * @returns what has changed, for the audit log
 * @throws {Refusal} if the change is invalid, has no effect, or if somebody else has saved the tab meanwhile
 */
export function saveTab(
  context: ActionContext,
  edit: TabEdit,
  { version, within }: { version: string | undefined; within?: Within | undefined },
): Promise<AuditChange[]> {
  return saveTabs(context, [{ ...edit, version }], within);
}

/** Saves changes of several tabs in one commit: all or, if it throws like `saveTab`, none. */
export async function saveTabs(
  { app, actor, logWithin }: ActionContext,
  edits: readonly (TabEdit & { version: string | undefined })[],
  within?: Within,
): Promise<AuditChange[]> {
  for (const { tab, fields, fixedBy = fields } of edits) {
    refuseFixed(app, tab, fixedBy);
    refuseUnsafeUrls(app, tab, fields);
  }
  const has = await capabilitiesOf(app.hooks, actor, NEEDED);
  const saves = edits.map(({ tab, fields, version: expect }) => ({ tab, fields, expect }));
  const saved = await app.settings.saveAll(saves, {
    replace: true,
    by: nameOf(actor),
    also(tx, saved) {
      refuseMembers(edits, saved, has);
      refuseMixing(app.settings.current(), edits, saved);
      logWithin(tx, saved.flatMap(changesOf));
      within?.(tx);
    },
  }).catch((error) => {
    throw refusalOf(edits, error, siteZone(app.settings.current()));
  });
  return saved.flatMap(changesOf);
}

/** How often a change is made again of settings that someone else saves at the same time. */
const SAVE_TRIES = 10;

/**
 * Saves a change that is made of the settings as they are, so that it overwrites no save that happens meanwhile: then it is
 * made again.
 *
 * @param decide returns the change; throws if the settings do not allow it
 * @throws {Refusal} like `saveTabs`
 */
export async function saveChange(
  context: ActionContext,
  decide: (settings: Settings) => readonly TabEdit[],
  within?: Within,
): Promise<AuditChange[]> {
  const { settings } = context.app;
  for (let tries = 1;; tries++) {
    await settings.refresh();
    const edits = decide(settings.current()).map((edit) => ({
      ...edit,
      version: settings.stateOf(edit.tab).version,
    }));
    try {
      return await saveTabs(context, edits, within);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "conflict" || tries === SAVE_TRIES) throw error;
    }
  }
}

/**
 * The schema of the settings accepts any text, because one that was saved earlier must not stop the start.
 *
 * @throws {Refusal} for a URL of a provider that has credentials, which every role would see, or another scheme
 */
function refuseUnsafeUrls({ settings }: AdminServices, tab: Tab, fields: Record<string, unknown>): void {
  if (tab !== "general") return;
  const known = Object.values(settings.providers).flatMap((module) => Object.entries(module.fields));
  const wrong = known.flatMap(([name, field]) => {
    const value = fields[name];
    const problem = typeof value === "string" ? urlProblem(field, value) : undefined;
    return problem === undefined ? [] : [[`fields.${name}`, problem]];
  });
  if (wrong.length > 0) throw invalidFields(Object.fromEntries(wrong));
}

/** @throws {Refusal} if a save would change a member of a form whose capability the actor lacks */
function refuseMembers(
  edits: readonly TabEdit[],
  saved: readonly SavedTab[],
  has: ReadonlySet<Capability>,
): void {
  const refused = edits.flatMap(({ tab }, index) =>
    changedMembers(tab, saved[index]!.before, saved[index]!.after)
      .filter(({ capability }) => !has.has(capability))
  );
  if (refused.length === 0) return;
  const names = refused.map(({ member }) => settingTitle(member));
  throw new Refusal(
    403,
    "not_allowed",
    `You are not allowed to change this: ${names.join(", ")}. Nothing was saved. Ask an admin.`,
    Object.fromEntries(refused.map(({ member }) => [`fields.${member}`, "Only an admin can change this."])),
  );
}

/** @throws {Refusal} if a save would change what visitors see of a form while its experiment is running */
function refuseMixing(
  current: Settings,
  edits: readonly { tab: Tab }[],
  saved: readonly SavedTab[],
): void {
  const at = (side: "before" | "after") => ({
    ...current,
    ...Object.fromEntries(edits.map(({ tab }, index) => [tab, saved[index]![side]])),
  });
  const [mixing] = mixingChanges(at("before"), at("after"));
  if (!mixing) return;
  const { form, members } = mixing;
  throw new Refusal(
    409,
    "experiment",
    `Nothing was published, because an experiment with ${
      formTitle(current, form)
    } is running. Visitors before and after ` +
      `this change would count together: ${
        members.map(settingTitle).join(", ")
      }. Save it as a draft, and publish it ` +
      "after you have ended the experiment. The list, the tags and the status can be changed at any time.",
  );
}

/** Returns what a save has changed, for the audit log. Secrets are named without their values. */
function changesOf({ before, after, secrets }: SavedTab): AuditChange[] {
  return [
    ...changesBetween(before, after),
    ...Object.entries(secrets).map(([path, secret]) => ({ path, secret })),
  ];
}

/** @throws {Refusal} for fields that the environment or the config file sets: saving them would have no effect */
export function refuseFixed(
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

/**
 * Converts an error of the settings store. Its paths become those of the form's fields.
 *
 * @param zone the site's time zone
 */
export function refusalOf(edits: readonly TabEdit[], error: unknown, zone: string): unknown {
  if (error instanceof SettingsConflict) {
    const { by = "Someone else", at } = error.state;
    const when = at ? ` at ${zonedTimeText(at, zone)}` : "";
    return new Refusal(
      409,
      "conflict",
      `${by} changed these settings${when} while you were editing. Nothing has been saved yet. Differences are shown ` +
        "below; save again to overwrite them.",
    );
  }
  if (!(error instanceof z.ZodError)) return error;
  // A form that asks for consent without a text is reported on its own tab and on the one with the default text.
  const editOf = (tab: unknown) => edits.find((edit) => edit.tab === tab);
  const ofTabs = error.issues.filter(({ path: [tab] }) => editOf(tab));
  const relocated = new z.ZodError((ofTabs.length > 0 ? ofTabs : error.issues).map((issue) => {
    const edit = editOf(issue.path[0]);
    if (!edit) return issue;
    const { place = { in: [], form: ["fields"] } } = edit;
    const path = issue.path.slice(1);
    const found = [place, place.around].find((each) => each?.in.every((step, index) => path[index] === step));
    return { ...issue, path: found ? [...found.form, ...path.slice(found.in.length)] : ["fields", ...path] };
  }));
  return invalid(relocated);
}
