import type { z } from "zod";
import type { Layer } from "./precedence.ts";

/** A member of saved settings that this version does not read. */
export interface Unread {
  path: readonly PropertyKey[];
  value: unknown;
}

export interface ReadLayer {
  /** The settings without those members. */
  read: Layer;
  unread: Unread[];
}

/**
 * Returns saved settings without members that this version does not know: a newer version, which runs beside this one or
 * ran before it, has saved them. They stay in their rows.
 *
 * @param whole If set, members with invalid values are left out too. It returns what is validated: the saved settings
 *   together with everything else that has an effect.
 */
export function readLayer(schema: z.ZodType, saved: Layer, whole?: (saved: Layer) => Layer): ReadLayer {
  const read = structuredClone(saved);
  const unread: Unread[] = [];
  const leaveOut = (path: readonly PropertyKey[]) => {
    const owner = at(read, path.slice(0, -1)) as Layer;
    const name = path.at(-1) as string;
    unread.push({ path, value: owner[name] });
    delete owner[name];
  };
  for (const issue of schema.safeParse(saved).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") continue;
    for (const key of issue.keys) leaveOut([...issue.path, key]);
  }
  while (whole) {
    const invalid = schema.safeParse(whole(read)).error?.issues ?? [];
    const path = invalid.map(({ path }) => memberIn(read, path)).find((path) => path !== undefined);
    if (!path) break;
    leaveOut(path);
  }
  return { read, unread };
}

/** Returns the path of the innermost member, not of an element of an array, that is on a path. */
function memberIn(tree: Layer, path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  for (let length = path.length; length > 0; length--) {
    const isElement = typeof path[length - 1] === "number";
    if (!isElement && at(tree, path.slice(0, length)) !== undefined) return path.slice(0, length);
  }
  return undefined;
}

/**
 * Returns edited settings with members that were not read, wherever the edit has left their owner. An element of an array
 * is the same as before if it has the same name.
 *
 * @param before the settings that were edited
 * @param edit An unread member that it names is gone.
 */
export function withUnread(edited: Layer, before: Layer, edit: Layer, unread: readonly Unread[]): Layer {
  const result = structuredClone(edited);
  for (const { path, value } of unread) {
    const name = path.at(-1) as string;
    const owner = sameAt(result, before, path.slice(0, -1));
    const ownerInEdit = sameAt(edit, before, path.slice(0, -1));
    if (!isTree(owner) || (isTree(ownerInEdit) && Object.hasOwn(ownerInEdit, name))) continue;
    owner[name] = value;
  }
  return result;
}

const isTree = (value: unknown): value is Layer => typeof value === "object" && value !== null;

const at = (tree: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, step) => isTree(value) ? value[step as string] : undefined, tree);

/** Returns what `tree` has at a path of `before`. */
function sameAt(tree: unknown, before: unknown, path: readonly PropertyKey[]): unknown {
  const [step, ...deeper] = path;
  if (step === undefined || !isTree(tree) || !isTree(before)) return tree;
  const old = before[step as string];
  if (!Array.isArray(tree)) return sameAt(tree[step as string], old, deeper);
  const name = isTree(old) ? old["name"] : undefined;
  return sameAt(name === undefined ? undefined : tree.find((each) => each?.name === name), old, deeper);
}
