import { Buffer } from "node:buffer";
import type { Clock } from "../../platform/deps.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { EncodedImage } from "./encode_small.ts";
import { sha256 } from "../../platform/keys/sha256.ts";

/**
 * A part of an image. Images have at most 60 KB, which are 80 KB in Base64: too long for one row, because rows are stored
 * as JSON of at most 64 KB.
 */
export interface ImageRow {
  v: 1;
  /** When the image was last uploaded, in Unix milliseconds. */
  at: number;
  /** How many parts the image has. */
  parts: number;
  base64: string;
}

const PART_CHARACTERS = 48_000;

const imageKey = (id: string, part: number): Key<ImageRow> => typed(keys.image(id, part));

/** Returns the ID of an image: it changes with every bit of its content, so responses can be cached permanently. */
export function idOf({ bytes, width, height }: EncodedImage): string {
  return `${sha256(bytes).slice(0, 22)}-${width}x${height}`;
}

/** Stores an image, all its parts in one commit. Storing it again renews its time. @returns its ID */
export async function storeImage(
  { kv, clock }: { kv: Kv; clock: Clock },
  image: EncodedImage,
): Promise<string> {
  const id = idOf(image);
  const base64 = Buffer.from(image.bytes).toString("base64");
  const parts = Math.ceil(base64.length / PART_CHARACTERS);
  const at = clock.now();
  const tx = kv.atomic();
  for (let part = 0; part < parts; part++) {
    const text = base64.slice(part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS);
    tx.set(imageKey(id, part), { v: 1, at, parts, base64: text } satisfies ImageRow);
  }
  await tx.commit();
  return id;
}

/** Returns the bytes of an image, or undefined if there is none with this ID. */
export async function readImage(kv: Kv, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { value: first } = await kv.get<ImageRow>(imageKey(id, 0));
  if (!first) return undefined;
  const texts = [first.base64];
  for (let part = 1; part < first.parts; part++) {
    const { value } = await kv.get<ImageRow>(imageKey(id, part));
    // Deleted just now.
    if (!value) return undefined;
    texts.push(value.base64);
  }
  return new Uint8Array(Buffer.from(texts.join(""), "base64"));
}

/**
 * Renews the time of an image, so that it is not deleted before a form is saved with it.
 *
 * @returns false if there is none with this ID
 */
export async function renewImage({ kv, clock }: { kv: Kv; clock: Clock }, id: string): Promise<boolean> {
  const { value: first } = await kv.get<ImageRow>(imageKey(id, 0));
  const parts = Array.from({ length: first?.parts ?? 0 }, (_, part) => kv.get<ImageRow>(imageKey(id, part)));
  const rows = await Promise.all(parts);
  if (rows.length === 0 || rows.some(({ value }) => !value)) return false;
  // Every commit that stores an image sets all its parts, and the first part is deleted first.
  const tx = kv.atomic().check(...rows.slice(0, kv.engine.limits.checks));
  for (const { key, value } of rows) tx.set(key, { ...value!, at: clock.now() });
  // It was uploaded again meanwhile, or deleted.
  return (await tx.commit()).ok || await renewImage({ kv, clock }, id);
}
