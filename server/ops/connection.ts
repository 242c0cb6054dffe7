import { type Config, isLoopback } from "../config.ts";
import type { ConnectionResult, ForbiddenCause, Provider, TroubleCode } from "../provider/port.ts";
import type { SettingsStore } from "../settings/store.ts";

/** One thing that may be wrong, and what to do about it. Most likely first where there are several. */
export interface Cause {
  code:
    | "no_key"
    | "no_project"
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
  const { apiKey, projectId } = app.settings.current().general;
  const unset = [
    ...(apiKey === "" ? [CAUSES.no_key] : []),
    ...(projectId === "" ? [CAUSES.no_project] : []),
  ];
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
      const causes = causesOfRefusal(apiKey, result.likely);
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

const CAUSE_OF: Readonly<Record<TroubleCode, Cause["code"]>> = {
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

const CAUSES: Readonly<Record<Cause["code"], Cause>> = {
  no_key: {
    code: "no_key",
    what: "No API key is set.",
    todo: "Make one at the provider, and set it as general.apiKey or CFBE_PROVIDER_API_KEY.",
  },
  no_project: {
    code: "no_project",
    what: "No project id is set.",
    todo: "Copy it from the project's page at the provider into general.projectId or CFBE_PROVIDER_PROJECT.",
  },
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
