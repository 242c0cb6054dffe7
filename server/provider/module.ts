import type { z } from "zod";
import type { Clock, Fetch } from "../deps.ts";
import type { Provider } from "./port.ts";

/** One setting of a provider: a member of the General tab. Its value is text; empty means unset. */
export interface ProviderField {
  /** Takes a missing value as well, for which it has a default. */
  schema: z.ZodDefault<z.ZodString>;
  /** Label in the admin. */
  label: string;
  /** What to enter, and what follows from it; one or two sentences below the input. */
  help: string;
  /** The setting in a sentence, such as "the API key". */
  noun: string;
  /** One word for codes: while the setting is missing, the connection test reports `no_<word>`. */
  word: string;
  /** Where to find the value, as an instruction up to "into …" or "as …": "Copy it from the project's page". */
  find: string;
  /** Stored encrypted and never shown. */
  secret?: true;
  /** Without it, no call to the provider can succeed. */
  required?: true;
  /** Environment variable that fixes it; providers may share one. */
  variable?: `CFBE_${string}`;
}

/** What an adapter works with. */
export interface ProviderDeps<Name extends string = string> {
  /** Values of the adapter's fields. Ask at each call, so that what an admin saves counts at once. */
  settings(): Readonly<Record<Name, string>>;
  /** `CFBE_PROVIDER_URL`: address of the API without a slash at its end; undefined means the provider's own. */
  url: string | undefined;
  fetch: Fetch;
  clock: Clock;
}

/** Everything that cfbe knows about one kind of provider. `providers.ts` lists them all. */
export interface ProviderModule<Name extends string = string> {
  /** The provider's name for people. */
  title: string;
  /** Path of the page for people who connect it. */
  docs: `docs/${string}.md`;
  /**
   * Its settings by name. The names of all providers share the General tab: each starts with the provider's kind, as
   * `mailchimpApiKey`; only BlueFox has names without it.
   */
  fields: Readonly<Record<Name, ProviderField>>;
  /** The field with the API key. cfbe is configured once it is set, and a webhook may present it as bearer. */
  apiKey: NoInfer<Name>;
  create(deps: ProviderDeps<Name>): Provider;
}

/** The kinds of providers by name. */
export type ProviderTable = Readonly<Record<string, ProviderModule>>;

/** Checks a module against its own field names. */
export function defineProvider<Name extends string>(module: ProviderModule<Name>): ProviderModule<Name> {
  return module;
}
