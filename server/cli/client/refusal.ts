import type { ActionOutcome } from "../../admin/frame/run_action.ts";
import { ClientError, EXIT } from "./error.ts";

/** Returns the error for a rejected action, with each invalid field on its own line. */
export function refusal({ status, message, fields = {} }: ActionOutcome & { ok: false }): ClientError {
  if (status === 401) {
    return new ClientError(`${message} Set CFBE_API_TOKEN to the value used by the service.`);
  }
  const wrong = Object.entries(fields).map(([path, error]) => `  ${path.replace(/^fields\./, "")}: ${error}`);
  // The message refers to highlighted fields, but a terminal lists them.
  const sentence = wrong.length > 0
    ? message.replace(/ Please correct the highlighted fields\.$/, "")
    : message;
  return new ClientError([sentence, ...wrong].join("\n"), status === 404 ? EXIT.notFound : EXIT.error);
}
