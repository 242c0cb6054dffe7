import { type Config, isLoopback } from "../config.ts";
import type { ConnectionResult, ForbiddenCause, Provider, TroubleCode } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { ProviderField } from "../provider/module.ts";
import { missingFields } from "../settings/provider.ts";

/** One thing that may be wrong, and what to do about it. Most likely first where there are several. */
export interface Cause {
  code:
    /** A setting that the provider needs is missing, such as `no_key`. */
    | `no_${string}`
    | "key_spelling"
    | "wrong_key"
    | "foreign_project"
    | "whitelist"
    | "restricted"
    | "unreachable"
    | "busy"
    | "odd_answer";
  what: string;
  todo: string;
}

export type ConnectionReport =
  | {
    ok: true;
    /** The project's name at the provider, and the provider's word for its kind. */
    project: string;
    account: string;
    /** What will keep mail from going out, although the key is right. */
    causes: Cause[];
    skewMs?: number;
  }
  | {
    ok: false;
    /** What the provider said, for whoever asks its support. */
    reason: string;
    causes: Cause[];
    skewMs?: number;
  };

/** Ask the provider whether the key opens the project, and name what may be wrong where it does not. */
export async function testConnection(
  app: { config: Pick<Config, "baseUrl">; provider: Provider; settings: SettingsStore },
): Promise<ConnectionReport> {
  const { settings } = app;
  const unset = missingFields(settings.current(), settings.providers)
    .toSorted(([, a], [, b]) => Number(b.secret ?? false) - Number(a.secret ?? false))
    .map(([name, field]) => causeOfMissing(name, field));
  if (unset.length > 0) return { ok: false, reason: "it was not asked", causes: unset };
  const result = await app.provider.connection();
  const skew = "skewMs" in result ? { skewMs: result.skewMs } : {};
  switch (result.kind) {
    case "connected":
      return {
        ok: true,
        project: result.name,
        account: result.status,
        causes: obstacles(result, app.config.baseUrl),
        ...skew,
      };
    case "forbidden": {
      const said = result.message === "" ? "" : `: ${result.message}`;
      const causes = causesOfRefusal(settings.apiKey(), result.likely);
      return { ok: false, reason: `the provider refuses the key${said}`, causes, ...skew };
    }
    case "absent":
      return {
        ok: false,
        reason: "the provider knows no such project",
        causes: [CAUSES.foreign_project],
        ...skew,
      };
    case "trouble":
      return { ok: false, reason: result.reason, causes: [CAUSES[CAUSE_OF[result.code]]] };
  }
}

function causeOfMissing(name: string, { word, noun, find, variable }: ProviderField): Cause {
  const what = `${noun[0]!.toUpperCase()}${noun.slice(1)} is not set.`;
  const where = [`general.${name}`, ...(variable === undefined ? [] : [variable])].join(" or ");
  return { code: `no_${word}`, what, todo: `${find}, and set it as ${where}.` };
}

/** Returns what may be behind a 403 (contract 6.11): providers answer all causes alike, so all are named. */
export function causesOfRefusal(apiKey: string, likely: readonly ForbiddenCause[] = []): Cause[] {
  const causes = [CAUSES.wrong_key, CAUSES.foreign_project, CAUSES.whitelist];
  if (likely.includes("allowlist")) causes.reverse();
  if (likely.includes("restricted")) causes.unshift(CAUSES.restricted);
  // A key has no spaces and no quotes, and the scheme is no part of it: such a one was copied with too much.
  if (/\s|^["'`]|["'`]$|^bearer\b/i.test(apiKey)) causes.unshift(CAUSES.key_spelling);
  return causes;
}

function obstacles(result: ConnectionResult & { kind: "connected" }, baseUrl: string): Cause[] {
  const causes: Cause[] = [];
  if (result.restricted) {
    const why = result.restrictedReason ? ` (${result.restrictedReason})` : "";
    causes.push({ ...CAUSES.restricted, what: `The provider has restricted this project${why}.` });
  }
  const { hostname } = new URL(baseUrl);
  const listed = result.whiteList.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (result.whiteList.length > 0 && !listed && !isLoopback(baseUrl)) {
    causes.push({
      ...CAUSES.whitelist,
      what: `The project's domain whitelist (${result.whiteList.join(", ")}) lacks ${hostname}.`,
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

const CAUSES: Readonly<Record<Exclude<Cause["code"], `no_${string}`>, Cause>> = {
  key_spelling: {
    code: "key_spelling",
    what: "The API key holds spaces, quotes or the word Bearer, which are no part of a key.",
    todo: "Copy the key alone, from its first character to its last.",
  },
  wrong_key: {
    code: "wrong_key",
    what: "The API key is wrong, or was deleted at the provider.",
    todo: "Compare it with the keys that the provider shows for the project, or make a new one.",
  },
  foreign_project: {
    code: "foreign_project",
    what: "The API key and the project id don't belong together.",
    todo: "Take both from the same project at the provider.",
  },
  whitelist: {
    code: "whitelist",
    what: "The project has a whitelist of domains or addresses that lacks this site.",
    todo: "Add this site to the whitelist in the project's API settings at the provider, or empty it.",
  },
  restricted: {
    code: "restricted",
    what: "The provider has restricted or disabled this project.",
    todo: "Its dashboard says why; its support lifts it.",
  },
  unreachable: {
    code: "unreachable",
    what: "The provider can't be reached from this machine.",
    todo: "Look at the provider's status page, at this machine's firewall and at CFBE_PROVIDER_URL.",
  },
  busy: {
    code: "busy",
    what: "The provider has trouble of its own, or is asked too often.",
    todo: "Wait some minutes. Signups are kept and delivered by themselves.",
  },
  odd_answer: {
    code: "odd_answer",
    what: "The answer is not one that the provider's API gives.",
    todo: "See whether CFBE_PROVIDER_URL leads to the provider's API, and not to a web page or a proxy.",
  },
};
