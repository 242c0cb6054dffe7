import type { MailRow } from "../account/rows.ts";
import type { SandboxUrls } from "./layout.tsx";

export interface MailLinks {
  confirm?: string;
  unsubscribe?: string;
  pause?: string;
}

/**
 * Returns the links in an email. They are built when it is read, because the public URL may have changed
 * since.
 */
export function linksOf(urls: SandboxUrls, mail: MailRow): MailLinks {
  if (!mail.token) return {};
  const to = (what: string) => `${urls.sandbox}/${what}/${mail.token}`;
  const rest = { unsubscribe: to("unsubscribe"), pause: to("pause") };
  return mail.kind === "confirmation" ? { confirm: to("confirm"), ...rest } : rest;
}
