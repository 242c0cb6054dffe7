/** The settings of one source: any part of the tree. */
export type Layer = Record<string, unknown>;

/**
 * Merges layers of settings; later layers take precedence. Objects are merged by member. Everything else is replaced,
 * including arrays, because nobody wants parts of two arrays.
 *
 * @example
 * ```ts
 * overlay({ a: { x: 1, y: [1] } }, { a: { y: [2] } }); // { a: { x: 1, y: [2] } }
 * ```
 */
export function overlay(...layers: Layer[]): Layer {
  const merged: Layer = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      const below = merged[key];
      merged[key] = isObject(value) ? overlay(isObject(below) ? below : {}, value) : value;
    }
  }
  return merged;
}

/**
 * Replaces members by those of the same name. `null` removes a member, at any depth, and an object that has only such
 * members.
 *
 * @example
 * ```ts
 * replaceMembers({ a: { x: 1 }, b: 1, c: 1 }, { a: { y: 2 }, b: null }); // { a: { y: 2 }, c: 1 }
 * ```
 */
export function replaceMembers(below: Layer, above: Layer): Layer {
  return (withoutNulls({ ...below, ...above }) ?? {}) as Layer;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each) ?? (isObject(each) ? {} : each));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNulls(member)] as const);
  const set = members.filter(([, member]) => member !== null && member !== undefined);
  return set.length === 0 && members.length > 0 ? undefined : Object.fromEntries(set);
}

export type FixedBy = "config file" | "environment";

/**
 * Returns which of the two fixes a setting.
 *
 * @param path such as `general.modules.coupons`
 */
export function fixedBy(
  [file = {}, environment = {}]: readonly [file?: Layer, environment?: Layer],
  path: string,
): FixedBy | undefined {
  if (reaches(environment, path.split("."))) return "environment";
  return reaches(file, path.split(".")) ? "config file" : undefined;
}

function reaches(layer: Layer, path: readonly string[]): boolean {
  let at: unknown = layer;
  for (const name of path) {
    // An array or a value is fixed as a whole.
    if (!isObject(at)) return at !== undefined;
    at = at[name];
  }
  return at !== undefined && !(isObject(at) && Object.values(at).every((member) => member === undefined));
}

function isObject(value: unknown): value is Layer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
