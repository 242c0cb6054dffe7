import { domainToASCII } from "node:url";
import { z } from "zod";

const EMAIL_MAX = 254;
const LOCAL_PART_MAX = 64;

// An address that browsers accept in <input type="email">, with a domain that can receive email.
const Email = z.email({ pattern: z.regexes.html5Email }).max(EMAIL_MAX).refine((email) =>
  email.lastIndexOf("@") <= LOCAL_PART_MAX && /\.[a-z][a-z0-9-]*[a-z0-9]$/.test(email)
);

/** Returns an email address in lower case with its domain in ASCII, or undefined if the value is invalid. */
export function normalizeEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > EMAIL_MAX) return undefined;
  const trimmed = value.trim().toLowerCase();
  const at = trimmed.lastIndexOf("@");
  const domain = trimmed.slice(at + 1);
  // Browsers convert an international domain to ASCII before they submit it; other clients may not.
  const ascii = /^[\x20-\x7e]*$/.test(domain) ? domain : domainToASCII(domain);
  const parsed = Email.safeParse(trimmed.slice(0, at + 1) + ascii);
  return parsed.success ? parsed.data : undefined;
}
