import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { MailResult, TemplateResult } from "../../port/mail.ts";
import type { Provider } from "../../port/port.ts";
import { type ListmonkSend, trouble } from "./http.ts";
import type { Find } from "./people.ts";
import { rejectedBy } from "../../http/response_trouble.ts";

/**
 * listmonk's messages about an address, in English. In another language, such an email is retried like any other, because
 * most of the errors that share their status are about the template, which the site's owner can mend.
 */
const ABOUT_ADDRESS = /^(?:invalid e-?mail\b|the e-?mail domain is bl)/i;

const Template = z.object({ name: z.string(), type: z.string() });

interface Mail {
  template: string;
  emails: readonly string[];
  data: Record<string, unknown>;
}

/** Returns the calls that send an email from one of listmonk's transactional templates, and that look one up. */
export function mailCalls(
  send: ListmonkSend,
  find: Find,
): Pick<Provider, "sendTriggered" | "sendTransactional"> & { template(id: string): Promise<TemplateResult> } {
  async function template(id: string): Promise<TemplateResult> {
    if (!/^[1-9]\d{0,8}$/.test(id)) return { kind: "absent" };
    const response = await send({ method: "GET", path: `/templates/${id}?no_body=true` });
    // listmonk responds with 400 if there is no such template.
    if (isOwnError(response, 400)) {
      return { kind: "absent" };
    }
    const found = response.kind === "ok" ? Template.safeParse(response.body).data : undefined;
    if (!found) return trouble(response, "reads");
    return found.type === "tx" ? { kind: "found", name: found.name } : { kind: "absent" };
  }

  async function sendMail({ template: id, emails, data }: Mail, signal?: AbortSignal): Promise<MailResult> {
    if (emails.length === 0 || emails.some((email) => email.trim() === "")) {
      return { kind: "refused", reason: "no email address to send to" };
    }
    // listmonk would also email people on its blocklist.
    for (const email of emails) {
      const found = await find(email, signal);
      if (found.kind === "trouble") return found;
      if (found.kind === "person" && found.person.status === "blocklisted") {
        return { kind: "refused", reason: "The address is on listmonk's blocklist." };
      }
    }
    const body = {
      // "external" also sends to people whom listmonk does not know.
      subscriber_mode: "external",
      subscriber_emails: emails,
      template_id: Number(id) || 0,
      data,
    };
    const response = await send({ method: "POST", path: "/tx", body, signal });
    if (response.kind === "ok") return { kind: "sent" };
    if (response.kind !== "error" || response.status !== 400 || response.problem === undefined) {
      return trouble(response, "writes");
    }
    if (ABOUT_ADDRESS.test(response.problem)) {
      return { kind: "refused", reason: rejectedBy("listmonk", response) };
    }
    // A missing or broken template has to be fixed by the site's owner, so the email is retried.
    const { kind } = await template(id);
    return kind === "absent"
      ? { kind: "trouble", code: "not_found", reason: `listmonk has no template ${id}`, unknown: false }
      : {
        ...trouble(response, "writes"),
        reason: `listmonk can't make an email from template ${id} (HTTP 400)`,
      };
  }

  return {
    template,
    sendTriggered: (mail, signal) => sendMail(mail, signal),
    sendTransactional: ({ email, ...mail }, signal) => sendMail({ ...mail, emails: [email] }, signal),
  };
}
