import type { Clock, Log } from "../deps.ts";

/** Also where an address stands in a URL. */
const ADDRESS = /[^\s"<>@,;:()\\]{1,200}(?:@|%40)([^\s"'<>@%,;:()\\/]+\.[^\s"'<>@%,;:()\\/]+)/giu;
const SECRET_FIELD = /key|secret|token|password|authorization|salt|cookie/i;
const MAX_DEPTH = 5;

/**
 * A log of JSON lines that redacts by itself: no caller has to remember. Addresses keep their first letter and
 * their domain; members named like a secret, and the secrets handed in, wherever they stand, are blanked.
 *
 * @param secrets values that must never appear, such as the salt and the API key
 * @param write where a line goes; lines of level `error` and `warn` too
 * @param request the id of the request that is being answered, if one is
 */
export function createLog(
  { clock, secrets, write, request = () => undefined }: {
    clock: Clock;
    secrets: () => string[];
    write: (line: string) => void;
    request?: () => string | undefined;
  },
): Log {
  function line(level: string, event: string, fields: Record<string, unknown> = {}) {
    const redact = redactor(secrets().filter((secret) => secret.length >= 8));
    const id = request();
    const head = {
      time: new Date(clock.now()).toISOString(),
      level,
      event,
      ...(id !== undefined && { request: id }),
    };
    // The head first to be seen, and last so that no field takes its place.
    write(JSON.stringify({ ...head, ...redact(fields) as object, ...head }));
  }
  return {
    info: (event, fields) => line("info", event, fields),
    warn: (event, fields) => line("warn", event, fields),
    error: (event, fields) => line("error", event, fields),
  };
}

/** The text with every address in it cut to its first letter and its domain. */
export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS, (address, domain: string) => `${address[0]}***@${domain}`);
}

function redactor(secrets: string[]): (value: unknown, depth?: number) => unknown {
  const text = (value: string) => {
    let clean = withoutAddresses(value);
    for (const secret of secrets) clean = clean.replaceAll(secret, "[secret]");
    return clean;
  };
  return function redact(value, depth = 0): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value === "bigint") return Number(value);
    if (value instanceof Error) {
      return { name: value.name, message: text(value.message), stack: text(value.stack ?? "") };
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return "[deep]";
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        SECRET_FIELD.test(name) && typeof member === "string" ? "[secret]" : redact(member, depth + 1),
      ]),
    );
  };
}
