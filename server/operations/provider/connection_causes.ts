import { capitalized } from "../../platform/words/capitalized.ts";
import type { Config } from "../../platform/config/config.ts";
import type { ForbiddenCause } from "../../providers/port/port.ts";
import type { TroubleCode } from "../../providers/port/trouble.ts";
import type { ProviderField, ProviderModule } from "../../providers/module.ts";
import { apiUrlField } from "../../settings/store/provider.ts";

/** A possible cause of a failed connection, and what to do about it. Lists of causes have the likeliest first. */
export interface Cause {
  code:
    /** A required setting is missing, such as `no_key`. */
    | `no_${string}`
    | "unsafe_url"
    | "key_spelling"
    | "wrong_key"
    | "foreign_project"
    | "whitelist"
    | "restricted"
    | "permissions"
    | "unreachable"
    | "busy"
    | "odd_answer";
  what: string;
  todo: string;
}

/** What the causes say about a provider. */
export interface Subject {
  /** How it calls the API key: "the API token". */
  noun: string;
  /** What a key gives access to. */
  scope: "project" | "account";
  /** The setting or variable with the URL of the API, if there is one. */
  url: string | undefined;
}

type Named = Pick<ProviderModule, "fields" | "apiKey">;

/** Returns what causes say about a provider, from its fields. */
export function subjectOf({ fields, apiKey }: Named, config: Pick<Config, "providerUrl">): Subject {
  const all = Object.entries(fields);
  const urlField = apiUrlField({ fields });
  const variable = config.providerUrl === undefined ? undefined : "CFBE_PROVIDER_URL";
  return {
    noun: fields[apiKey]?.noun ?? "the API key",
    // The sandbox has the API of a provider with projects, but no fields.
    scope: all.length === 0 || all.some(([, { word }]) => word === "project") ? "project" : "account",
    url: variable ?? (urlField && `general.${urlField}`),
  };
}

/**
 * Returns the possible causes of a 403 (contract 6.11). A provider that has projects responds to all of them in the same
 * way, so all are listed; at the others, only what the adapter has found is.
 */
export function causesOfForbidden(
  apiKey: string,
  likely: readonly ForbiddenCause[],
  subject: Subject,
): Cause[] {
  const causes = subject.scope === "project"
    ? [CAUSES.wrong_key(subject), FOREIGN_PROJECT, CAUSES.whitelist(subject)]
    : [CAUSES.wrong_key(subject), ...(likely.includes("allowlist") ? [CAUSES.whitelist(subject)] : [])];
  if (likely.includes("allowlist")) causes.reverse();
  if (likely.includes("restricted")) causes.unshift(CAUSES.restricted(subject));
  // Spaces, quotes and the scheme are not part of a key, so too much was copied.
  if (/\s|^["'`]|["'`]$|^bearer\b/i.test(apiKey)) causes.unshift(CAUSES.key_spelling(subject));
  return causes;
}

/** Returns the likely cause of a call that failed for another reason. */
export function causeOfTrouble(code: TroubleCode, subject: Subject): Cause {
  return CAUSES[CAUSE_OF[code]](subject);
}

const CAUSE_OF: Readonly<Record<TroubleCode, keyof typeof CAUSES>> = {
  no_connection: "unreachable",
  timeout: "unreachable",
  broken: "unreachable",
  cancelled: "unreachable",
  forbidden: "wrong_key",
  not_found: "odd_answer",
  rate_limited: "busy",
  unavailable: "busy",
  unexpected: "odd_answer",
  not_configured: "odd_answer",
  invalid_key: "key_spelling",
  account: "restricted",
  deactivated: "odd_answer",
};

/** A URL of the provider that would show everybody its credentials. @param name of its setting */
export const unsafeUrl = (name: string, { url }: ProviderField) =>
  url === "page"
    ? {
      what: `general.${name} is not the URL of a page, or has a user or a password.`,
      todo: "Set it to a URL such as https://example.com/welcome.",
    }
    : {
      what:
        `general.${name} has a user, a password, a query string or another scheme than http and https, and everybody ` +
        "who can open the admin sees it.",
      todo: "Set it without them; the credentials have settings of their own.",
    };

/** At a provider with projects. */
export const FOREIGN_PROJECT: Cause = {
  code: "foreign_project",
  what: "The API key does not belong to this project ID.",
  todo: "Copy both from the same project at the provider.",
};

export const CAUSES = {
  key_spelling: ({ noun }) => ({
    code: "key_spelling",
    what: `${capitalized(noun)} contains spaces, quotes or the word Bearer, which are not part of it.`,
    todo: "Copy only the key, from its first to its last character.",
  }),
  wrong_key: ({ noun }) => ({
    code: "wrong_key",
    what: `${capitalized(noun)} is wrong or was deleted at the provider.`,
    todo: "Compare it with those at the provider, or create a new one.",
  }),
  whitelist: ({ scope }) => ({
    code: "whitelist",
    ...(scope === "project"
      ? {
        what: "The project's allowlist of domains or IP addresses does not include this site.",
        todo:
          "Add this site to the allowlist in the project's API settings at the provider, or clear the allowlist.",
      }
      : {
        what: "The account's allowlist of IP addresses does not include this machine's.",
        todo: "Add it to the allowlist in the account's settings at the provider, or clear the allowlist.",
      }),
  }),
  restricted: ({ scope }) => ({
    code: "restricted",
    what: `The provider has restricted or disabled this ${scope}.`,
    todo: "See the reason in the provider's dashboard, and ask its support to lift the restriction.",
  }),
  unreachable: ({ url }) => ({
    code: "unreachable",
    what: "The provider can't be reached from this machine.",
    todo: url === undefined
      ? "Check the provider's status page and this machine's firewall."
      : `Check that the server in ${url} runs, and this machine's firewall.`,
  }),
  busy: () => ({
    code: "busy",
    what: "The provider has an outage or limits our requests.",
    todo: "Wait a few minutes. Signups are kept and delivered automatically.",
  }),
  odd_answer: ({ url }) => ({
    code: "odd_answer",
    what: "The response does not look like one from the provider's API.",
    todo: url === undefined
      ? "Check whether a proxy between this machine and the provider answers in its place."
      : `Check that ${url} points to the provider's API, not to a web page or a proxy.`,
  }),
} satisfies Partial<Record<Cause["code"], (subject: Subject) => Cause>>;
