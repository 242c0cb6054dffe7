import type { Provider } from "../../port/port.ts";
import { unavailable } from "../../port/unsupported.ts";
import type { BluefoxSend } from "./http.ts";
import { mailResult } from "./results.ts";

const NO_ADDRESS = { kind: "refused", reason: "no email address to send to" } as const;

/**
 * Returns the calls that send an email from a template. The API cannot look one up.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function mailCalls(
  send: BluefoxSend,
  root: () => string,
): Pick<Provider, "sendTriggered" | "sendTransactional" | "template"> {
  return {
    async sendTriggered({ template, emails, data }, signal) {
      // Without `emails` the provider emails the whole list, so this does not rely on the type alone.
      const some: readonly string[] = emails;
      if (some.length === 0 || some.some((email) => email.trim() === "")) return NO_ADDRESS;
      const body = { triggeredId: template, emails: some, data };
      return mailResult(await send({ method: "POST", path: `${root()}/send-triggered`, body, signal }));
    },

    async sendTransactional({ template, email, data }, signal) {
      if (email.trim() === "") return NO_ADDRESS;
      const body = { email, transactionalId: template, data };
      return mailResult(await send({ method: "POST", path: `${root()}/send-transactional`, body, signal }));
    },

    template: unavailable("The provider does not look up templates."),
  };
}
