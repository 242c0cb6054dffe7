import type { Exchange } from "../../server/providers/testing/record_exchanges.ts";

/** One response that the vendor recorded, in VCR's format. */
interface Interaction {
  request: { method: string; uri: string };
  response: { status: { code: number }; body: { string?: string } };
}

/** The recorded responses of a vendor, by method, path and status. */
export interface Recordings {
  /** Returns how a response differs from all recorded ones in members and their types; undefined if none was recorded. */
  differences(exchange: Pick<Exchange, "method" | "path" | "status">, body: unknown): string[] | undefined;
}

/** IDs and addresses in a path. */
const VARIABLE = /^(\d+|[^/]*(@|%40)[^/]*|[0-9a-f-]{16,})$/i;

export function recordingsOf(documents: readonly { http_interactions: Interaction[] }[]): Recordings {
  const recorded = new Map<string, unknown[]>();
  const keyOf = (method: string, path: string, status: number) =>
    `${method.toUpperCase()} ${
      path.split("/").map((part) => VARIABLE.test(part) ? "*" : part).join("/")
    } ${status}`;
  for (const { request, response } of documents.flatMap((document) => document.http_interactions)) {
    const key = keyOf(request.method, new URL(request.uri).pathname, response.status.code);
    recorded.set(key, [...recorded.get(key) ?? [], parsed(response.body.string ?? "")]);
  }
  return {
    differences({ method, path, status }, body) {
      const samples = recorded.get(keyOf(method, path, status));
      if (!samples) return undefined;
      const all = samples.map((sample) => differencesBetween(sample, body, "body"));
      return all.toSorted((a, b) => a.length - b.length)[0]!;
    },
  };
}

/**
 * Compares members and types, not values. Members that the double leaves out are no difference, because an adapter must
 * not read what it was not told about; null stands for any type.
 */
function differencesBetween(recorded: unknown, found: unknown, path: string): string[] {
  if (recorded === null || found === null || found === undefined) return [];
  // PHP writes an empty object as an empty list.
  if (Array.isArray(recorded) && recorded.length === 0 && typeof found === "object") return [];
  if (Array.isArray(recorded) || Array.isArray(found)) {
    if (!Array.isArray(recorded) || !Array.isArray(found)) {
      return [`${path} is ${kind(found)}, not ${kind(recorded)}`];
    }
    return found.flatMap((item, i) => differencesBetween(recorded[0], item, `${path}/${i}`));
  }
  if (kind(recorded) !== kind(found)) return [`${path} is ${kind(found)}, not ${kind(recorded)}`];
  if (typeof recorded !== "object") return [];
  return Object.entries(found as object).flatMap(([name, value]) =>
    Object.hasOwn(recorded, name)
      ? differencesBetween((recorded as Record<string, unknown>)[name], value, `${path}/${name}`)
      : [`${path}/${name} was never recorded`]
  );
}

const kind = (value: unknown) => Array.isArray(value) ? "a list" : `of type ${typeof value}`;

function parsed(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}
