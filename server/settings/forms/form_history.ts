import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Log, Random } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { FORM_TABS } from "../schema/form_schema.ts";
import type { Settings, Tab } from "../schema/schema.ts";
import type { Layer } from "../store/precedence.ts";
import type { SavedChange } from "../store/saves.ts";
import { formNames, formOf } from "./all_forms.ts";
import { contentOf, isSameContent, isUnpublished } from "./drafted_form.ts";
import type { DraftContent, DraftedId } from "./form_drafts.ts";

/** A published version of a form: what pages showed from then on, besides its status, schedule and experiment. */
export interface FormVersion {
  id: string;
  /** When it was published, Unix milliseconds. */
  at: number;
  /** Who published it; undefined for what was there when its history began. */
  by?: string;
  content: DraftContent;
}

export interface FormVersionRow {
  v: 1;
  by?: string;
  /** The content as JSON, compressed, in Base64. */
  packed: string;
}

/** So many are kept, however old. */
const KEPT = 50;
/** All that are younger are kept. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
/** Old versions that are deleted with each new one, at most. */
const MAX_DELETED = 5;
/** A row has at most 64 KiB. */
const MAX_PACKED = 60_000;

export interface FormHistory {
  /**
   * Stores a version of each published form that is not as in its latest one. Never rejects: forms are published in any case.
   *
   * @param tabs those that were saved
   */
  record(tabs: readonly Tab[], change: SavedChange): Promise<void>;
}

export function createFormHistory(
  { kv, random, log }: { kv: Kv; random: Pick<Random, "uuid">; log: Log },
): FormHistory {
  /** The latest version of each form that this process knows. */
  const latest = new Map<string, DraftContent>();

  async function recordForm(name: string, { before, after, by, at }: SavedChange) {
    // A form that is a draft itself is not shown by any page.
    const content = publishedContent(after, name);
    if (!content) return;
    const isAsIn = (version?: DraftContent) => version !== undefined && isSameContent(version, content);
    if (isAsIn(latest.get(name))) return;
    const [stored] = await versionsOf(kv, { name }, { limit: 1 });
    const was = publishedContent(before, name);
    if (!stored && was && !isAsIn(was)) await add(name, was, { at: at - 1 });
    // Two versions of the same millisecond, or of a clock that has gone back, stay in their order.
    if (!isAsIn(stored?.content)) await add(name, content, { at: Math.max(at, (stored?.at ?? 0) + 1), by });
    latest.set(name, content);
  }

  async function add(
    name: string,
    content: DraftContent,
    { at, by }: { at: number; by?: string | undefined },
  ) {
    const packed = gzipSync(JSON.stringify(content)).toString("base64");
    if (packed.length > MAX_PACKED) return log.warn("form.version_too_large", { form: name });
    const row: FormVersionRow = { v: 1, ...(by !== undefined && { by }), packed };
    const tx = kv.atomic().set(keys.formVersion(name, at, random.uuid()), row);
    for (const key of await outdated(name, at)) tx.delete(key);
    await tx.commit();
  }

  /** Returns the keys of versions that are not kept when another one is added. */
  async function outdated(name: string, now: number): Promise<KvKey[]> {
    const prefix = keys.formVersionsOf(name);
    const newest = await Array.fromAsync(kv.list({ prefix }, { limit: KEPT - 1, reverse: true }));
    if (newest.length < KEPT - 1) return [];
    const until = Math.min(Number(newest.at(-1)!.key.at(-2)), now - KEPT_MS);
    const old = kv.list({ prefix, end: keys.formVersionsUntil(name, until) }, { limit: MAX_DELETED });
    return (await Array.fromAsync(old)).map(({ key }) => key);
  }

  async function removeAll(name: string) {
    latest.delete(name);
    for await (const { key } of kv.list({ prefix: keys.formVersionsOf(name) })) await kv.delete(key);
  }

  return {
    async record(tabs, change) {
      if (!FORM_TABS.some((tab) => tabs.includes(tab))) return;
      try {
        const names = formNames(change.after);
        for (const name of names) await recordForm(name, change);
        const removed = formNames(change.before).filter((name) => !names.includes(name));
        for (const name of removed) await removeAll(name);
      } catch (error) {
        log.error("form.version_not_stored", { error });
      }
    },
  };
}

function publishedContent(settings: Settings, name: string): DraftContent | undefined {
  const form = formOf(settings, name);
  return form && !isUnpublished(form) ? contentOf(settings, { name }) : undefined;
}

/** Returns versions of a form, the newest first. @param before ID of the version that they are older than */
export async function versionsOf(
  kv: Kv,
  { name }: DraftedId,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<FormVersion[]> {
  const end = before === undefined ? undefined : keyOf(name, before);
  const selector = { prefix: keys.formVersionsOf(name), ...(end && { end }) };
  const rows = await Array.fromAsync(kv.list<FormVersionRow>(selector, { limit, reverse: true }));
  return rows.map(({ key, value }) => versionIn(key, value));
}

/** Returns one version of a form; undefined if it is not kept any more. */
export async function readVersion(
  kv: Kv,
  { name }: DraftedId,
  id: string,
): Promise<FormVersion | undefined> {
  const key = keyOf(name, id);
  const value = key && (await kv.get<FormVersionRow>(key)).value;
  return value ? versionIn(key!, value) : undefined;
}

/** Returns what a row holds. */
export const contentIn = ({ packed }: FormVersionRow): DraftContent =>
  JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as DraftContent;

/** Returns the draft that makes a form what it was in a version. */
export function restoredDraft(settings: Settings, id: DraftedId, version: DraftContent): DraftContent {
  const now = contentOf(settings, id);
  const gone = <Gone>(members: object = {}, value: Gone): Record<string, Gone> =>
    Object.fromEntries(Object.keys(members).map((name) => [name, value]));
  return {
    // A design that is gone is empty: beside an image, null stands for the published one.
    values: { ...gone(now?.values, null), design: {}, ...version.values },
    image: version.image ?? null,
    texts: { ...gone<Layer>(now?.texts, {}), ...version.texts },
  };
}

const versionIn = (key: KvKey, row: FormVersionRow): FormVersion => ({
  id: `${String(key.at(-2))}-${String(key.at(-1))}`,
  at: Number(key.at(-2)),
  ...(row.by !== undefined && { by: row.by }),
  content: contentIn(row),
});

function keyOf(name: string, id: string): KvKey | undefined {
  const [, at, uuid] = /^(\d{1,15})-([\w-]{1,64})$/.exec(id) ?? [];
  return at === undefined ? undefined : keys.formVersion(name, Number(at), uuid!);
}
