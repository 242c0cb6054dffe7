/** Finds what has changed between two versions of something, for the audit log. */

/** One changed value, as text. A secret has neither value. */
export interface AuditChange {
  /** Where it is, such as `triggers.delaySeconds` or `forms[footer].layout`. */
  path: string;
  /** Absent if there was no value. */
  before?: string;
  /** Absent if there is no value any more. */
  after?: string;
  secret?: "changed" | "removed";
}

/** With at most this many changes, a row is smaller than the 64 KiB that Deno KV stores. */
const MAX_CHANGES = 40;
const MAX_CHARACTERS = 100;
const MAX_PATH_CHARACTERS = 200;

/**
 * Returns the changes as an audit row stores them: long values shortened, and email addresses in them masked, because
 * the row outlives every record.
 */
export function storedChanges(
  changes: readonly AuditChange[],
): { changes?: AuditChange[]; otherChanges?: number } {
  const stored = changes.slice(0, MAX_CHANGES).map(({ path, before, after, secret }): AuditChange => ({
    path: storedText(path, MAX_PATH_CHARACTERS),
    ...(before !== undefined && { before: storedText(before) }),
    ...(after !== undefined && { after: storedText(after) }),
    ...(secret && { secret }),
  }));
  const others = changes.length - stored.length;
  return { ...(stored.length > 0 && { changes: stored }), ...(others > 0 && { otherChanges: others }) };
}

function storedText(text: string, max = MAX_CHARACTERS): string {
  const masked = text.replace(/[^\s@<>()[\]"',;:]+@/g, "…@");
  const characters = [...masked];
  return characters.length <= max ? masked : `${characters.slice(0, max).join("")}…`;
}

/**
 * Returns the values that differ, by path. Objects are compared by member, and arrays of objects by the `name`, `id` or
 * `tag` of their elements.
 *
 * @example
 * ```ts
 * changesBetween({ days: 5, on: true }, { days: 7, on: true }); // [{ path: "days", before: "5", after: "7" }]
 * ```
 */
export function changesBetween(before: unknown, after: unknown, path = ""): AuditChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  // A missing or empty side has no members, so that every member of the other one is a change.
  if ((was && (is || isEmpty(after))) || (is && isEmpty(before))) {
    const names = new Set([...was?.keys() ?? [], ...is?.keys() ?? []]);
    const inArray = Array.isArray(before) || Array.isArray(after);
    return [...names].flatMap((name) =>
      changesBetween(was?.get(name), is?.get(name), joined(path, name, inArray))
    );
  }
  const [from, to] = [textOf(before), textOf(after)];
  if (from === to) return [];
  return [{ path, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) }];
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function joined(path: string, name: string, inArray: boolean): string {
  if (inArray) return `${path}[${name}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** Returns the members of an object, or the elements of an array of named objects. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const named = new Map(value.map((element) => [nameOfElement(element), element]));
  const distinct = named.size > 0 && named.size === value.length && !named.has(undefined);
  return distinct ? named as Map<string, unknown> : undefined;
}

function nameOfElement(element: unknown): string | undefined {
  if (typeof element !== "object" || element === null) return undefined;
  const { name, id, tag } = element as Record<string, unknown>;
  const key = id ?? tag ?? name;
  return typeof key === "string" ? key : undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
