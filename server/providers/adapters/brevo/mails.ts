import { z } from "zod";
import type { MailResult } from "../../port/mail.ts";
import type { Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { type BrevoContact, isUnexplained, readContact, suppressionOf } from "./contact.ts";
import type { BrevoResponse, BrevoSend } from "./http.ts";
import { contactPath, numericId } from "./ids.ts";
import { isInvalidEmail, notConfigured, trouble } from "./results.ts";

const NO_ADDRESS = { kind: "refused", reason: "no email address to send to" } as const;
const BLOCKED = { kind: "refused", reason: "Brevo blocks the address" } as const;
const NO_TEMPLATE = notConfigured("the ID of a template at Brevo is a number");

const accepted = z.union([
  z.object({ messageId: z.string() }),
  z.object({ messageIds: z.array(z.string()) }),
]);

/**
 * Returns the calls that send an email from a template. They read the contact first: Brevo accepts an email to anyone, and
 * drops it later if the address is blocked.
 */
export function mailCalls(send: BrevoSend): Pick<Provider, "sendTriggered" | "sendTransactional"> {
  /** Returns whether an address may get an email. */
  async function isAllowed(
    email: string,
    blocks: (contact: BrevoContact) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean | Trouble> {
    const read = readContact(await send({ method: "GET", path: contactPath(email), signal }));
    if (read.kind === "trouble") return read;
    return read.kind === "absent" || !blocks(read.contact);
  }

  const mail = async (body: Record<string, unknown>, data: Record<string, unknown>, signal?: AbortSignal) => {
    const params = Object.keys(data).length > 0 ? { params: data } : {};
    return mailResult(
      await send({ method: "POST", path: "/smtp/email", body: { ...body, ...params }, signal }),
    );
  };

  return {
    async sendTriggered({ template, emails, data }, signal) {
      if (emails.length === 0 || emails.some((email) => email.trim() === "")) return NO_ADDRESS;
      const templateId = numericId(template);
      if (templateId === undefined) return NO_TEMPLATE;
      const to: string[] = [];
      for (const email of emails) {
        // It is marketing, so nobody gets it who unsubscribed.
        const allowed = await isAllowed(email, ({ emailBlacklisted }) => emailBlacklisted, signal);
        if (typeof allowed !== "boolean") return allowed;
        if (allowed) to.push(email);
      }
      const [first, ...others] = to;
      if (first === undefined) return BLOCKED;
      // One email each: addresses in the same `to` would see each other.
      const recipients = others.length === 0
        ? { to: [{ email: first }] }
        : { messageVersions: to.map((email) => ({ to: [{ email }] })) };
      return await mail({ templateId, ...recipients }, data, signal);
    },

    async sendTransactional({ template, email, data }, signal) {
      if (email.trim() === "") return NO_ADDRESS;
      const templateId = numericId(template);
      if (templateId === undefined) return NO_TEMPLATE;
      const blocks = (contact: BrevoContact) =>
        isUnexplained(contact) || suppressionOf(contact) !== undefined;
      const allowed = await isAllowed(email, blocks, signal);
      if (typeof allowed !== "boolean") return allowed;
      return allowed ? await mail({ templateId, to: [{ email }] }, data, signal) : BLOCKED;
    },
  };
}

/** Returns the result of `POST /smtp/email`. */
function mailResult(response: BrevoResponse): MailResult {
  if (response.kind === "ok" && accepted.safeParse(response.body).success) return { kind: "sent" };
  return isInvalidEmail(response)
    ? { kind: "refused", reason: "Brevo rejects the address as invalid" }
    : trouble(response, "writes");
}
