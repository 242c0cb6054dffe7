import { domainToASCII } from "node:url";
import { z } from "zod";

const EMAIL_MAX = 254;
const LOCAL_PART_MAX = 64;

// The address that browsers accept in <input type="email">, in a domain that mail can reach.
const Email = z.email({ pattern: z.regexes.html5Email }).max(EMAIL_MAX).refine((email) =>
  email.lastIndexOf("@") <= LOCAL_PART_MAX && /\.[a-z][a-z0-9-]*[a-z0-9]$/.test(email)
);

/** Returns an email address in lower case with its domain in ASCII, or undefined if the value is invalid. */
export function normalizeEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > EMAIL_MAX) return undefined;
  const trimmed = value.trim().toLowerCase();
  const at = trimmed.lastIndexOf("@");
  const domain = trimmed.slice(at + 1);
  // Browsers turn an address's international domain into ASCII before they send it; other senders may not.
  const ascii = /^[\x20-\x7e]*$/.test(domain) ? domain : domainToASCII(domain);
  const parsed = Email.safeParse(trimmed.slice(0, at + 1) + ascii);
  return parsed.success ? parsed.data : undefined;
}
