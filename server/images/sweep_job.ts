import { z } from "zod";
import type { Clock } from "../deps.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import { keys } from "../kv/keys.ts";
import type { FormDraftRow } from "../settings/form_drafts.ts";
import type { SettingsStore } from "../settings/store.ts";
import { readTabs, tabKey } from "../settings/tab_rows.ts";
import { TABS } from "../settings/tabs.ts";
import type { ImageRow } from "./rows.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const SWEEP_IMAGES_JOB = { id: "sweep_images", name: "cfbe_sweep_images", payload: null } as const;
export const SWEEP_IMAGES_EVERY_MS = DAY_MS;
/** An image stays for this long after its upload, so that a form can be saved with it, or an edit be undone. */
const GRACE_MS = 7 * DAY_MS;

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  settings: Pick<SettingsStore, "current" | "refresh">;
}

/** Deletes the images that neither a form nor a draft uses, and the drafts of forms that are gone. */
export function sweepImages({ kv, clock, settings }: Deps): JobDefinition<null> {
  return {
    name: SWEEP_IMAGES_JOB.name,
    payload: z.null(),
    async handle(job) {
      const isOld = ({ at }: { at: number }) => at + GRACE_MS <= clock.now();
      const { rows, tabs } = await savedSettings(kv);
      await settings.refresh();
      const drafts = rows.filter(({ key }) => isAt(key, keys.formDraftAll()) || isAt(key, keys.popupDraft()));
      const forms = new Set(settings.current().forms.forms.map(({ name }) => name));
      await removeDrafts(kv, rows, ({ name, draft }) => !forms.has(name) && isOld(draft));
      // Saved settings that the config file overrides may come into use again.
      const used = JSON.stringify([settings.current(), tabs, drafts.map(({ value }) => value)]);
      for await (const { key, value, versionstamp } of kv.list<ImageRow>({ prefix: keys.imageAll() })) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        if (!isOld(value) || used.includes(String(key[3]))) continue;
        // An upload of the same image renews it meanwhile.
        await kv.atomic().check({ key, versionstamp }).delete(key).commit();
      }
      return { kind: "done" };
    },
  };
}

/**
 * Returns the saved settings of all tabs, and all their rows with those of drafts, as they were at one time. An image
 * moves from a draft to the settings when the draft is published, so that a read of one after the other could miss it.
 */
async function savedSettings(kv: Deno.Kv): Promise<{ rows: Deno.KvEntry<unknown>[]; tabs: unknown[] }> {
  const versionsOf = (rows: Deno.KvEntry<unknown>[]) => rows.map(({ versionstamp }) => versionstamp).join();
  const read = () => Array.fromAsync(kv.list({ prefix: keys.family("settings") }));
  let before = await read();
  while (true) {
    const tabs = await readTabs(kv, TABS);
    const rows = await read();
    if (versionsOf(rows) === versionsOf(before)) return { rows, tabs: tabs.map(({ row }) => row.value) };
    before = rows;
  }
}

const isAt = (key: Deno.KvKey, prefix: Deno.KvKey) => prefix.every((part, index) => key[index] === part);

/** Deletes drafts, unless they or the saved forms have changed since they were read. */
async function removeDrafts(
  kv: Deno.Kv,
  rows: readonly Deno.KvEntry<unknown>[],
  isGone: (draft: { name: string; draft: FormDraftRow }) => boolean,
): Promise<void> {
  const forms = tabKey("forms");
  const saved = rows.find(({ key }) => isAt(key, forms));
  for (const { key, value, versionstamp } of rows) {
    if (!isAt(key, keys.formDraftAll())) continue;
    if (!isGone({ name: String(key.at(-1)), draft: value as FormDraftRow })) continue;
    await kv.atomic().check({ key, versionstamp }, {
      key: forms,
      versionstamp: saved?.versionstamp ?? null,
    }).delete(key).commit();
  }
}
