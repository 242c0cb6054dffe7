import type { FieldName } from "../../shared/contract.ts";
import { NAME_MAX_CHARACTERS } from "../../shared/limits.ts";
import type { Texts } from "../../shared/texts/texts.ts";
import { normalizeEmail } from "../http/email.ts";
import type { Settings } from "../settings/schema.ts";

/** What a visitor filled in, checked and normalised. */
export interface FieldValues {
  email: string;
  name?: string;
  /** Configured tags only. */
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
 * Check the fields that a visitor fills in, by the Form tab, naming every wrong one at once (contract 4.6).
 *
 * @param body the request's members, each of which may be anything
 * @param texts the messages, in the visitor's language
 */
export function checkFields(body: Record<string, unknown>, form: Settings["form"], texts: Texts): FieldCheck {
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
 * What spammers put into names, to have it mailed: something a mail client makes a link of. A capital after the
 * dot is a name (St.John), unless the ending is one that everybody knows.
 */
const WEB_ADDRESS =
  /https?:|:\/\/|[Ww]{3}\.|\.\p{L}{2,}\/|[\p{L}\p{N}-]\.(?:\p{Ll}{2,}|(?:COM|Com|NET|Net|ORG|Org|INFO|Info|RU|Ru))(?![\p{L}\p{N}])/u;
/** Control characters, line breaks, and marks that turn the reading direction around. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** @returns the name trimmed, empty if there is none, or undefined if it can't be one */
function normalName(value: unknown): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const name = value.trim().normalize("NFC");
  const wrong = [...name].length > NAME_MAX_CHARACTERS || CONTROL.test(name) || WEB_ADDRESS.test(name);
  return wrong ? undefined : name;
}
