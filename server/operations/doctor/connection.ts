import { capitalized } from "../../platform/words/capitalized.ts";
import { type Config, isLoopback } from "../../platform/config/config.ts";
import type {
  ConnectionResult,
  ForbiddenCause,
  MissingPermission,
  Provider,
} from "../../providers/port/port.ts";
import type { TroubleCode } from "../../providers/port/trouble.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { ProviderField, ProviderModule } from "../../providers/module.ts";
import { missingFields, moduleNamed, moduleOf, unsafeUrls } from "../../settings/store/provider.ts";
import type { Finding } from "./finding.ts";
import { setupFindings } from "./provider_setup.ts";

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

export type ConnectionReport =
  | {
    ok: true;
    /** The project's name at the provider. */
    project: string;
    /** The project's status, in the provider's words. */
    account: string;
    /** Reasons why email will not be sent although the key is valid. */
    causes: Cause[];
    /** What is wrong with double opt-in and the templates at the provider, or cannot be read there. */
    setup: Finding[];
    skewMs?: number;
  }
  | {
    ok: false;
    /** The provider's error, for a support request. */
    reason: string;
    causes: Cause[];
    skewMs?: number;
  };

interface Deps {
  config: Pick<Config, "baseUrl">;
  provider: Provider;
  settings: Pick<SettingsStore, "current" | "providers" | "apiKey">;
}

/** Checks whether the API key gives access to the project, and what is set up there. */
export async function testConnection(app: Deps): Promise<ConnectionReport> {
  const report = await connectionReport(app);
  return report.ok ? { ...report, setup: await setupFindings(app) } : report;
}

/** Checks whether the API key gives access to the project, and lists the possible causes if it does not. */
export async function connectionReport(app: Deps): Promise<ConnectionReport> {
  const { settings } = app;
  const unset = missingFields(settings.current(), settings.providers)
    .toSorted(([, a], [, b]) => Number(b.secret ?? false) - Number(a.secret ?? false))
    .map(([name, field]) => causeOfMissing(name, field));
  if (unset.length > 0) {
    return {
      ok: false,
      reason: "the provider was not contacted, because settings are missing",
      causes: unset,
    };
  }
  const module = moduleOf(settings.current(), settings.providers);
  const unsafe = unsafeUrls(settings.current(), settings.providers);
  if (unsafe.length > 0) {
    return {
      ok: false,
      reason: "the provider was not contacted, because its URL is not one",
      causes: unsafe.map((name) => ({
        code: "unsafe_url",
        what: `general.${name} has a user, a password, a query string or another scheme than http and https.`,
        todo: "Set it without them. The credentials have settings of their own.",
      })),
    };
  }
  const result = await app.provider.connection();
  const skew = "skewMs" in result ? { skewMs: result.skewMs } : {};
  switch (result.kind) {
    case "connected": {
      const missing = permissionCauses(result, module);
      const [blocking] = missing;
      if (blocking?.for === "signups") {
        return {
          ok: false,
          reason: "permissions are missing",
          causes: missing.map(({ cause }) => cause),
          ...skew,
        };
      }
      return {
        ok: true,
        project: result.name,
        account: result.status,
        causes: [...missing.map(({ cause }) => cause), ...restrictionsOn(result, app.config.baseUrl)],
        setup: [],
        ...skew,
      };
    }
    case "forbidden": {
      const message = result.message.replace(/\.$/, "");
      const detail = message === "" ? "" : `: ${message}`;
      const causes = causesOfForbidden(settings.apiKey(), result.likely, module);
      const { noun } = module.fields[module.apiKey] ?? { noun: "the API key" };
      return { ok: false, reason: `the provider rejected ${noun}${detail}`, causes, ...skew };
    }
    case "absent":
      return {
        ok: false,
        reason: "the provider does not know this project",
        causes: [CAUSES.foreign_project],
        ...skew,
      };
    case "trouble":
      return { ok: false, reason: result.reason, causes: [CAUSES[CAUSE_OF[result.code]]] };
  }
}

function causeOfMissing(name: string, { word, noun, find, variable }: ProviderField): Cause {
  const what = `${capitalized(noun)} is not set.`;
  const where = [`general.${name}`, ...(variable === undefined ? [] : [variable])].join(" or ");
  return { code: `no_${word}`, what, todo: `${find}, and set it as ${where}.` };
}

/**
 * Returns the possible causes of a 403 (contract 6.11). A provider that has projects responds to all of them in the same
 * way, so all are listed; at the others, only what the adapter has found is.
 */
export function causesOfForbidden(
  apiKey: string,
  likely: readonly ForbiddenCause[] = [],
  module: Pick<ProviderModule, "fields" | "apiKey"> = moduleNamed("bluefox")!,
): Cause[] {
  const noun = module.fields[module.apiKey]?.noun ?? "the API key";
  // The sandbox has the API of a provider with projects, but no fields.
  const fields = Object.values(module.fields);
  const hasProjects = fields.length === 0 || fields.some(({ word }) => word === "project");
  const wrongKey = withNoun(CAUSES.wrong_key, noun);
  const causes = hasProjects
    ? [wrongKey, CAUSES.foreign_project, CAUSES.whitelist]
    : [wrongKey, ...(likely.includes("allowlist") ? [OF_ACCOUNTS.whitelist] : [])];
  if (likely.includes("allowlist")) causes.reverse();
  if (likely.includes("restricted")) causes.unshift(hasProjects ? CAUSES.restricted : OF_ACCOUNTS.restricted);
  // Spaces, quotes and the scheme are not part of a key, so too much was copied.
  if (/\s|^["'`]|["'`]$|^bearer\b/i.test(apiKey)) causes.unshift(withNoun(CAUSES.key_spelling, noun));
  return causes;
}

/** Returns a cause that calls the key what the provider does: "the API token". */
function withNoun({ code, what, todo }: Cause, noun: string): Cause {
  return { code, what: what.replace("The API key", capitalized(noun)), todo };
}

/** Returns the permissions that the key lacks, those for signups first. */
function permissionCauses(
  { missingPermissions = [] }: ConnectionResult & { kind: "connected" },
  { title, fields, apiKey }: ProviderModule,
): { for: MissingPermission["for"]; cause: Cause }[] {
  const noun = fields[apiKey]?.noun ?? "the API key";
  return (["signups", "emails"] as const).flatMap((purpose) => {
    const names = missingPermissions.filter((missing) => missing.for === purpose).map(({ permission }) =>
      permission
    );
    if (names.length === 0) return [];
    const effect = purpose === "signups"
      ? "signups can't be delivered or checked"
      : "emails from templates can't be sent";
    const what =
      `${capitalized(noun)} lacks the permission${names.length === 1 ? "" : "s"} ${names.join(", ")}. ` +
      `Without ${names.length === 1 ? "it" : "them"}, ${effect}.`;
    const todo = `Add ${names.length === 1 ? "it" : "them"} to its user's role in ${title}.`;
    return [{ for: purpose, cause: { code: "permissions" as const, what, todo } }];
  });
}

function restrictionsOn(result: ConnectionResult & { kind: "connected" }, baseUrl: string): Cause[] {
  const causes: Cause[] = [];
  if (result.restricted) {
    const why = result.restrictedReason ? ` (${result.restrictedReason})` : "";
    causes.push({ ...CAUSES.restricted, what: `The provider has restricted this project${why}.` });
  }
  const { hostname } = new URL(baseUrl);
  const { whiteList = [] } = result;
  const listed = whiteList.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (whiteList.length > 0 && !listed && !isLoopback(baseUrl)) {
    causes.push({
      ...CAUSES.whitelist,
      what: `The project's domain allowlist (${whiteList.join(", ")}) does not include ${hostname}.`,
    });
  }
  return causes;
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

/** The causes at a provider whose accounts have no projects. */
const OF_ACCOUNTS = {
  whitelist: {
    code: "whitelist",
    what: "The account's allowlist of IP addresses does not include this machine's.",
    todo: "Add it to the allowlist in the account's settings at the provider, or clear the allowlist.",
  },
  restricted: {
    code: "restricted",
    what: "The provider has restricted or disabled this account.",
    todo: "See the reason in the provider's dashboard, and ask its support to lift the restriction.",
  },
} satisfies Record<string, Cause>;

const CAUSES: Readonly<Record<Exclude<Cause["code"], `no_${string}` | "permissions" | "unsafe_url">, Cause>> =
  {
    key_spelling: {
      code: "key_spelling",
      what: "The API key contains spaces, quotes or the word Bearer, which are not part of a key.",
      todo: "Copy only the key, from its first to its last character.",
    },
    wrong_key: {
      code: "wrong_key",
      what: "The API key is wrong or was deleted at the provider.",
      todo: "Compare it with those at the provider, or create a new one.",
    },
    foreign_project: {
      code: "foreign_project",
      what: "The API key does not belong to this project ID.",
      todo: "Copy both from the same project at the provider.",
    },
    whitelist: {
      code: "whitelist",
      what: "The project's allowlist of domains or IP addresses does not include this site.",
      todo:
        "Add this site to the allowlist in the project's API settings at the provider, or clear the allowlist.",
    },
    restricted: {
      code: "restricted",
      what: "The provider has restricted or disabled this project.",
      todo: "See the reason in the provider's dashboard, and ask its support to lift the restriction.",
    },
    unreachable: {
      code: "unreachable",
      what: "The provider can't be reached from this machine.",
      todo: "Check the provider's status page, this machine's firewall and CFBE_PROVIDER_URL.",
    },
    busy: {
      code: "busy",
      what: "The provider has an outage or limits our requests.",
      todo: "Wait a few minutes. Signups are kept and delivered automatically.",
    },
    odd_answer: {
      code: "odd_answer",
      what: "The response does not look like one from the provider's API.",
      todo: "Check that CFBE_PROVIDER_URL points to the provider's API, not to a web page or a proxy.",
    },
  };
