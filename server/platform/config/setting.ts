import { z } from "zod";

/** What people need to know about a setting. Its schema has the rest: values, limits, and the default. */
export interface SettingAbout {
  /** Its label in the admin. */
  label: string;
  /** What it does, in one or two sentences, with names of code in backticks. */
  help?: string;
  /** The setting in the middle of a sentence, such as "the API key". */
  noun?: string;
  /** Unit of a number. */
  unit?: string;
  /** The labels of its values, if it is a choice; of its members, if it has a value for each. */
  choices?: Readonly<Record<string, string>>;
  /** An example of its value. */
  placeholder?: string;
  /** Whether its text is read by a program: nothing to spell-check. */
  code?: true;
  /** Stored encrypted and never shown. It is a member of a tab, not of an object in it. */
  secret?: true;
  /** The environment variable that sets it. Several providers can use the same one. */
  variable?: string;
  /** The schema of the variable, if not any text. Not typed as one, because a registry replaces types of schemas. */
  inVariable?: unknown;
  /** Whether forms inherit it until they have a value of their own. */
  inherited?: boolean;
  /** Title of the provider that has it. */
  provider?: string;
  /** Whether only the program writes it. */
  internal?: true;
}

/** The declarations of all settings: a schema in this registry is a setting. */
export const ABOUT = z.registry<SettingAbout>();

/** A setting with its path, such as `privacy.ipRetentionDays`. */
export interface Setting {
  path: string;
  schema: z.ZodType;
  about: SettingAbout;
}

/** Returns the settings in a schema, in order. */
export function settingsIn(schema: z.ZodType, path = ""): Setting[] {
  const about = ABOUT.get(schema);
  if (about) return [{ path, schema, about }];
  const { innerType, shape = {} } = schema.def as { innerType?: z.ZodType; shape?: z.ZodRawShape };
  if (innerType) return settingsIn(innerType, path);
  return Object.entries(shape).flatMap(([name, member]) =>
    settingsIn(member as z.ZodType, path === "" ? name : `${path}.${name}`)
  );
}

/** By the settings that they are among, because each line of the log needs them. */
const secrets = new WeakMap<readonly Setting[], string[][]>();

/** Returns the paths of the secrets, as `[tab, field]`. */
export function secretsAmong(settings: readonly Setting[]): readonly string[][] {
  let known = secrets.get(settings);
  if (!known) {
    known = settings.filter(({ about }) => about.secret).map(({ path }) => path.split("."));
    secrets.set(settings, known);
  }
  return known;
}

/** Returns the values that a setting can have, as a JSON schema. */
export function jsonSchemaOf({ schema }: Pick<Setting, "schema">): z.core.JSONSchema.BaseSchema {
  const { $schema: _, anyOf: [first] = [], ...values } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return { ...first as object, ...values };
}

/** Returns the same in words, such as "whole number from 1 to 3650". */
export function valuesText(setting: Setting): string {
  const { type, enum: choices, minimum, exclusiveMinimum, maximum, ...values } = jsonSchemaOf(setting);
  const { maxLength, maxItems } = values;
  const when = (limit: unknown, text: string) => limit === undefined ? "" : text;
  switch (type) {
    case "boolean":
      return "`true` or `false`";
    case "integer":
    case "number":
      return (type === "integer" ? "whole number" : "number") + when(minimum, ` from ${minimum}`) +
        when(exclusiveMinimum, ` above ${exclusiveMinimum}`) + when(maximum, ` to ${maximum}`);
    case "string":
      if (choices) return either(choices.map((value) => `\`${value}\``));
      return `text${when(maxLength, ` of at most ${maxLength} characters`)}`;
    case "array":
      return `list${when(maxItems, ` of at most ${maxItems} entries`)}`;
    default:
      return "object";
  }
}

/** Returns "a, b or c". */
export function either(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);
}

/** Returns a sentence or more about a setting: what it is, what sets it, and who inherits it. */
export function aboutText({ about }: Pick<Setting, "about">): string {
  const { provider, label, unit, help, choices, secret, variable, inherited } = about;
  const labels = Object.entries(choices ?? {}).map(([value, text]) => `\`${value}\`: ${text}`);
  return [
    `${provider ? `${provider}: ` : ""}${label}${unit ? ` … ${unit}` : ""}.`,
    help,
    choices && `${labels.join("; ")}.`,
    inherited && "Forms without a value of their own inherit it.",
    secret && "Secret: stored encrypted, and never shown.",
    variable && `Variable: \`${variable}\`.`,
  ].filter(Boolean).join(" ");
}

/** Returns the default of a setting as JSON; undefined if there is none, or if it is a secret. */
export function defaultText({ schema, about }: Setting): string | undefined {
  return about.secret ? undefined : JSON.stringify(schema.safeParse(undefined).data);
}
