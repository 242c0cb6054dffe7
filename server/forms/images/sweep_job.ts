import { z } from "zod";
import type { Clock } from "../../platform/deps.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { type FormDraftRow, readFormDraft } from "../../settings/forms/form_drafts.ts";
import { contentIn, type FormVersionRow } from "../../settings/forms/form_history.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { readTabs } from "../../settings/store/tab_rows.ts";
import { TABS } from "../../settings/store/tabs.ts";
import type { ImageRow } from "./rows.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const SWEEP_IMAGES_JOB = { id: "sweep_images", name: "cfbe_sweep_images", payload: null } as const;
export const SWEEP_IMAGES_EVERY_MS = DAY_MS;
/** An image stays for this long after its upload, so that a form can be saved with it, or an edit be undone. */
const GRACE_MS = 7 * DAY_MS;

interface Deps {
  kv: Kv;
  clock: Clock;
  settings: Pick<SettingsStore, "current" | "refresh">;
}

/** Deletes the images that neither a form, a version of one nor a draft uses, and the drafts of forms that are gone. */
export function sweepImages({ kv, clock, settings }: Deps): JobDefinition<null> {
  return {
    name: SWEEP_IMAGES_JOB.name,
    payload: z.null(),
    async handle(job) {
      const isOld = ({ at }: { at: number }) => at + GRACE_MS <= clock.now();
      // In this order, because an image moves: into a draft that keeps it, and into the settings when that is published.
      const tabs = await readTabs(kv, TABS);
      const drafts = await Array.fromAsync(kv.list<FormDraftRow>({ prefix: keys.formDraftAll() }));
      const ofPopup = await readFormDraft(kv, { name: POPUP });
      const versions = kv.list<FormVersionRow>({ prefix: keys.formVersionAll() });
      const before = await Array.fromAsync(versions, ({ value }) => contentIn(value).image);
      await settings.refresh();
      // Saved settings that the config file overrides may come into use again.
      const saved = tabs.map(({ row }) => row.value);
      const { row } = tabs[TABS.indexOf("forms")]!;
      const forms = new Set([...namesIn(settings.current().forms), ...namesIn(row.value?.fields)]);
      for (const { key, value, versionstamp } of drafts) {
        if (forms.has(String(key.at(-1))) || !isOld(value)) continue;
        // The form may be added again meanwhile.
        await kv.atomic().check(row, { key, versionstamp }).delete(key).commit();
      }
      const used = JSON.stringify([
        settings.current(),
        saved,
        ofPopup,
        drafts.map(({ value }) => value),
        before,
      ]);
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

/** Returns the names of the forms in settings, as they are stored. */
const namesIn = ({ forms = [] }: { forms?: { name: string }[] } = {}): string[] =>
  forms.map(({ name }) => name);
