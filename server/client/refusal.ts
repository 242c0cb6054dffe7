import type { Answer } from "../admin/run_action.ts";
import { CliError, EXIT } from "./error.ts";

/** Why an action was not done, with every field that is wrong on a line of its own. */
export function refusal({ status, message, fields = {} }: Answer & { ok: false }): CliError {
  if (status === 401) return new CliError(`${message} Set CFBE_API_TOKEN here as it is set for the service.`);
  const wrong = Object.entries(fields).map(([path, says]) => `  ${path.replace(/^fields\./, "")}: ${says}`);
  // What a page marks, a terminal lists.
  const sentence = wrong.length > 0
    ? message.replace(/: please check what is marked below\.$/, ".")
    : message;
  return new CliError([sentence, ...wrong].join("\n"), status === 404 ? EXIT.notFound : EXIT.trouble);
}
