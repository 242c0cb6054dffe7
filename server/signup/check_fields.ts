import type { FieldName } from "../../shared/contract.ts";
import { NAME_MAX_CHARACTERS } from "../../shared/limits.ts";
import { normalizeEmail } from "../http/email.ts";
import type { FormSettings } from "../settings/form_settings.ts";

/** The fields that a visitor filled in, validated and normalized. */
export interface FieldValues {
  email: string;
  name?: string;
  /** Tags from the settings only, in the order of the settings. */
  interests: string[];
  /** Whether the box was ticked. */
  consent: boolean;
}

export type FieldCheck = { ok: true; values: FieldValues } | {
  ok: false;
  fields: Partial<Record<FieldName, string>>;
};

const MAX_INTERESTS = 50;

/**
 * Validates the fields of a form against its settings and reports all invalid ones at once (contract 4.6).
 *
 * @param body the parsed request body; its members can have any type
 */
export function checkFields(body: Record<string, unknown>, form: FormSettings): FieldCheck {
  const { texts } = form;
  const fields: Partial<Record<FieldName, string>> = {};

  const email = normalizeEmail(body["email"]);
  if (email === undefined) fields.email = texts.invalidEmail;

  const name = form.nameField === "hidden" ? "" : normalName(body["name"]);
  if (name === undefined || (name === "" && form.nameField === "required")) fields.name = texts.invalidName;

  const given = body["interests"] ?? [];
  const interests = Array.isArray(given) ? given.slice(0, MAX_INTERESTS) : undefined;
  if (!interests) fields.interests = texts.invalidInterests;

  const consent = body["consent"] === true;
  if (form.consent === "required" && !consent) fields.consent = texts.invalidConsent;

  if (Object.keys(fields).length > 0) return { ok: false, fields };
  const configured = form.interests.map((interest) => interest.tag).filter((tag) => interests!.includes(tag));
  return {
    ok: true,
    values: {
      email: email!,
      ...(name && { name }),
      interests: configured,
      consent,
    },
  };
}

/**
 * Matches text that an email client would turn into a link. Spammers put links into names so that the confirmation
 * email carries them. A capital after a dot is part of a name (St.John), except in well-known top-level domains.
 */
const WEB_ADDRESS =
  /https?:|:\/\/|[Ww]{3}\.|\.\p{L}{2,}\/|[\p{L}\p{N}-]\.(?:\p{Ll}{2,}|(?:COM|Com|NET|Net|ORG|Org|INFO|Info|RU|Ru))(?![\p{L}\p{N}])/u;
/** Control characters, line breaks and marks that change the text direction. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** @returns the trimmed name, "" if it is missing, or undefined if it is invalid */
function normalName(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const name = value.trim().normalize("NFC");
  const isInvalid = [...name].length > NAME_MAX_CHARACTERS || CONTROL.test(name) || WEB_ADDRESS.test(name);
  return isInvalid ? undefined : name;
}
