import type { FieldErrors } from "../../../shared/contract.ts";
import type { FieldValues } from "../../../shared/fields/kinds.ts";
import { characterCount, hasWebAddress, oneLineText } from "../../../shared/fields/plain_text.ts";
import { validateFields } from "../../../shared/fields/validate.ts";
import { NAME_MAX_CHARACTERS } from "../../../shared/limits.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";

/** The fields that a visitor filled in, validated and normalized. */
export interface VisitorValues {
  email: string;
  name?: string;
  /** Tags from the settings only, in the order of the settings. */
  interests: string[];
  /** Whether the box was ticked. */
  consent: boolean;
  /** Values of the form's other fields. */
  fields: FieldValues;
}

export type FieldCheck = { ok: true; values: VisitorValues } | {
  ok: false;
  fields: FieldErrors;
};

const MAX_INTERESTS = 50;

/**
 * Validates the fields of a form against its settings and reports all invalid ones at once (contract 4.6).
 *
 * @param body the parsed request body; its members can have any type
 */
export function checkFields(body: Record<string, unknown>, form: FormSettings): FieldCheck {
  const { texts } = form;
  const fields: FieldErrors = {};

  const email = normalizeEmail(body["email"]);
  if (email === undefined) fields.email = texts.invalidEmail;

  const name = form.nameField === "hidden" ? "" : normalName(body["name"]);
  if (name === undefined || (name === "" && form.nameField === "required")) fields.name = texts.invalidName;

  const given = body["interests"] ?? [];
  const interests = Array.isArray(given) ? given.slice(0, MAX_INTERESTS) : undefined;
  if (!interests) fields.interests = texts.invalidInterests;

  const consent = body["consent"] === true;
  if (form.consent === "required" && !consent) fields.consent = texts.invalidConsent;

  const others = validateFields(form.fields, body["fields"], form);
  if (!others.ok) Object.assign(fields, others.errors);

  if (!others.ok || Object.keys(fields).length > 0) return { ok: false, fields };
  const configured = form.interests.map((interest) => interest.tag).filter((tag) => interests!.includes(tag));
  return {
    ok: true,
    values: {
      email: email!,
      ...(name && { name }),
      interests: configured,
      consent,
      fields: others.values,
    },
  };
}

/** @returns the trimmed name, "" if it is missing, or undefined if it is invalid */
function normalName(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  const name = oneLineText(value);
  const isInvalid = name === undefined || characterCount(name) > NAME_MAX_CHARACTERS || hasWebAddress(name);
  return isInvalid ? undefined : name;
}
