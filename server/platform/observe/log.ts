import type { Clock, Log } from "../deps.ts";

/** Also matches a percent-encoded address in a URL. */
const ADDRESS = /[^\s"<>@,;:()\\]{1,200}(?:@|%40)([^\s"'<>@%,;:()\\/]+\.[^\s"'<>@%,;:()\\/]+)/giu;
const SECRET_FIELD = /key|secret|token|password|authorization|salt|cookie/i;
const MAX_DEPTH = 5;

/**
 * Creates a log of JSON lines that redacts every line, so that no caller has to remember to. Email addresses
 * keep their first letter and their domain. Members named like a secret, and the given secrets wherever they
 * occur, are replaced by `[secret]`.
 *
 * @param secrets values that must never appear, such as the salt and the API key
 * @param write writes a line, of any level
 * @param request returns the ID of the current request, if there is one
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
    // The head comes first to be readable, and again last so that no field replaces it.
    write(JSON.stringify({ ...head, ...redact(fields) as object, ...head }));
  }
  return {
    info: (event, fields) => line("info", event, fields),
    warn: (event, fields) => line("warn", event, fields),
    error: (event, fields) => line("error", event, fields),
  };
}

/** Returns the text with every email address cut to its first letter and its domain. */
export function withoutAddresses(text: string): string {
  // Most texts have none, and looking for the characters is faster than the pattern.
  if (!text.includes("@") && !text.includes("%40")) return text;
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
