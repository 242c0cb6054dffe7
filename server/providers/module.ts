import { z } from "zod";
import type { SettingAbout } from "../platform/config/setting.ts";
import type { Clock, Fetch } from "../platform/deps.ts";
import type { Capabilities } from "./port/capabilities.ts";
import type { Provider } from "./port/port.ts";

/** One setting of a provider, on the Provider page. Its value is text; empty means not set. */
export interface ProviderField extends SettingAbout {
  /** Also accepts a missing value, for which it has a default. */
  schema: z.ZodDefault<z.ZodString>;
  help: string;
  noun: string;
  /** One word for error codes: without the setting, the connection test reports `no_<word>`. */
  word: string;
  /** Where to find the value, as the start of an instruction: "Copy it from the project's page". */
  find: string;
  /** The page at the provider where the value is found or created, if it has the same URL for every account. */
  findUrl?: `https://${string}`;
  /** Of what the value is the URL: of the provider's API, or of a page that visitors open. */
  url?: "api" | "page";
  /** Without it, no call to the provider can succeed. */
  required?: true;
}

/** Returns the schema of a field of up to `max` characters. */
export const text = (max: number) =>
  z.string().trim().max(max, `must be ${max} characters or less`).default("");

/** What the API keys of all providers have in common. */
export const API_KEY = {
  noun: "the API key",
  word: "key",
  secret: true,
  required: true,
  variable: "CFBE_PROVIDER_API_KEY",
} as const;

/** How the adapter was last checked against the provider. */
export interface Evidence {
  /**
   * live: run against the provider's own system. recorded: against the provider's recorded responses. specified: only
   * against the provider's documentation.
   */
  grade: "live" | "recorded" | "specified";
  /** Day of that check: `2026-11-22`. */
  date: `${number}-${number}-${number}`;
}

/** What cfbe passes to an adapter. */
export interface ProviderDeps<Name extends string = string> {
  /** Returns the values of the adapter's fields. Call it for each request, so that changes take effect at once. */
  settings(): Readonly<Record<Name, string>>;
  /** `CFBE_PROVIDER_URL`: URL of the API without a trailing slash; undefined means the provider's own. */
  url: string | undefined;
  fetch: Fetch;
  clock: Clock;
}

/** Everything that cfbe knows about one kind of provider. `providers.ts` lists them all. */
export interface ProviderModule<Name extends string = string> {
  /** The provider's display name. */
  title: string;
  /** Path of the page about connecting it. */
  docs: `docs/${string}.md`;
  evidence: Evidence;
  /**
   * Its settings by name. All providers share one namespace, so each name starts with the provider's kind, such as
   * `mailchimpApiKey`. Only BlueFox has names without this prefix.
   */
  fields: Readonly<Record<Name, ProviderField>>;
  /** The field with the API key. cfbe counts as configured once it is set, and webhooks may use it as bearer token. */
  apiKey: NoInfer<Name>;
  capabilities: Capabilities;
  /** Imports the adapter, which a start must not load, and creates it. */
  create(deps: ProviderDeps<Name>): Promise<Provider>;
}

/** All kinds of providers by name. */
export type ProviderTable = Readonly<Record<string, ProviderModule>>;

/** Returns the module; makes the compiler check it against its own field names. */
export function defineProvider<Name extends string>(module: ProviderModule<Name>): ProviderModule<Name> {
  return module;
}
