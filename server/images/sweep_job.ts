import { z } from "zod";
import type { Clock } from "../deps.ts";
import type { JobDefinition } from "../jobs/handler.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";
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

/** Deletes the images that no form uses. */
export function sweepImages({ kv, clock, settings }: Deps): JobDefinition<null> {
  return {
    name: SWEEP_IMAGES_JOB.name,
    payload: z.null(),
    async handle(job) {
      const used = await usesOf({ kv, settings });
      for await (const { key, value, versionstamp } of kv.list<ImageRow>({ prefix: keys.imageAll() })) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        if (value.at + GRACE_MS > clock.now() || used.includes(String(key[3]))) continue;
        // An upload of the same image renews it meanwhile.
        await kv.atomic().check({ key, versionstamp }).delete(key).commit();
      }
      return { kind: "done" };
    },
  };
}

/** Returns everything that may name an image, as one text: the settings in use, and all that are saved. */
async function usesOf({ kv, settings }: Pick<Deps, "kv" | "settings">): Promise<string> {
  await settings.refresh();
  const texts = [JSON.stringify(settings.current())];
  // Saved settings that the config file overrides may come into use again.
  for await (const { value } of kv.list({ prefix: keys.family("settings") })) {
    texts.push(JSON.stringify(value));
  }
  return texts.join();
}
