import { z } from "zod";
import type { Trouble } from "../../port/trouble.ts";
import type { BrevoResponse, BrevoSend } from "./http.ts";
import { numericId } from "./ids.ts";
import { isMissing, trouble } from "./results.ts";

export type ReadTemplate =
  | {
    kind: "found";
    name: string;
    isActive: boolean;
    /** Whether Brevo accepts it for the confirmation email; undefined if the response does not settle it. */
    isOptIn: boolean | undefined;
  }
  | { kind: "absent" }
  | Trouble;

const templateShape = z.object({
  name: z.string(),
  isActive: z.boolean(),
  doiTemplate: z.boolean().optional().catch(undefined),
  tag: z.string().optional().catch(undefined),
});

/** Reads a template by its ID. */
export async function readTemplate(send: BrevoSend, id: string): Promise<ReadTemplate> {
  const number = numericId(id);
  if (number === undefined) return { kind: "absent" };
  return templateResult(await send({ method: "GET", path: `/smtp/templates/${number}` }));
}

/**
 * Returns the result of `GET /smtp/templates/{id}`. Users report that Brevo refuses templates without the tag "optin",
 * although it calls them double opt-in templates. So only both together are certain.
 */
export function templateResult(response: BrevoResponse): ReadTemplate {
  if (isMissing(response)) return { kind: "absent" };
  const found = response.kind === "ok" ? templateShape.safeParse(response.body).data : undefined;
  if (!found) return trouble(response, "reads");
  const { name, isActive, doiTemplate, tag } = found;
  const isOptIn = doiTemplate && tag !== "optin" ? undefined : doiTemplate;
  return { kind: "found", name, isActive, isOptIn };
}
