import { capitalized } from "../../platform/words/capitalized.ts";
import { type Config, isLoopback } from "../../platform/config/config.ts";
import type { ConnectionResult, MissingPermission, Provider } from "../../providers/port/port.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { ProviderField, ProviderModule } from "../../providers/module.ts";
import { missingFields, moduleOf, unsafeUrls } from "../../settings/store/provider.ts";
import {
  type Cause,
  causeOfTrouble,
  CAUSES,
  causesOfForbidden,
  FOREIGN_PROJECT,
  type Subject,
  subjectOf,
  unsafeUrl,
} from "./connection_causes.ts";

export type ConnectionReport =
  | {
    ok: true;
    /** The project's name at the provider. */
    project: string;
    /** The project's status, in the provider's words. */
    account: string;
    /** Reasons why email will not be sent although the key is valid. */
    causes: Cause[];
    skewMs?: number;
  }
  | {
    ok: false;
    /** The provider's error, for a support request. */
    reason: string;
    causes: Cause[];
    skewMs?: number;
  };

export interface ConnectionDeps {
  config: Pick<Config, "baseUrl" | "providerUrl">;
  provider: Provider;
  settings: Pick<SettingsStore, "current" | "providers" | "apiKey">;
}

/** Checks whether the API key gives access to the project, and lists the possible causes if it does not. */
export async function connectionReport(app: ConnectionDeps): Promise<ConnectionReport> {
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
      reason: "the provider was not contacted, because a URL in its settings is not one",
      causes: unsafe.map(([name, field]) => ({ code: "unsafe_url", ...unsafeUrl(name, field) })),
    };
  }
  const subject = subjectOf(module, app.config);
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
        project: nameFrom(result.name),
        account: nameFrom(result.status),
        causes: [
          ...missing.map(({ cause }) => cause),
          ...restrictionsOn(result, app.config.baseUrl, subject),
        ],
        ...skew,
      };
    }
    case "forbidden": {
      const message = result.message.replace(/\.$/, "");
      const detail = message === "" ? "" : `: ${message}`;
      const causes = causesOfForbidden(settings.apiKey(), result.likely ?? [], subject);
      return { ok: false, reason: `the provider rejected ${subject.noun}${detail}`, causes, ...skew };
    }
    case "absent":
      return {
        ok: false,
        reason: `the provider does not know this ${subject.scope}`,
        causes: subject.scope === "project" ? [FOREIGN_PROJECT] : [CAUSES.wrong_key(subject)],
        ...skew,
      };
    case "trouble":
      return { ok: false, reason: result.reason, causes: [causeOfTrouble(result.code, subject)] };
  }
}

function causeOfMissing(name: string, { word, noun, find, variable }: ProviderField): Cause {
  const what = `${capitalized(noun)} is not set.`;
  const where = [`general.${name}`, ...(variable === undefined ? [] : [variable])].join(" or ");
  return { code: `no_${word}`, what, todo: `${find}, and set it as ${where}.` };
}

/** Returns a name from a response as one short line, whatever the server sent. */
function nameFrom(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, " ").trim().slice(0, 100);
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

function restrictionsOn(
  result: ConnectionResult & { kind: "connected" },
  baseUrl: string,
  subject: Subject,
): Cause[] {
  const causes: Cause[] = [];
  if (result.restricted) {
    // A word or two. Other text of the provider is not ours to show.
    const why = /^[\w -]{1,40}$/.test(result.restrictedReason ?? "") ? ` (${result.restrictedReason})` : "";
    causes.push({
      ...CAUSES.restricted(subject),
      what: `The provider has restricted this ${subject.scope}${why}.`,
    });
  }
  const { hostname } = new URL(baseUrl);
  const { whiteList = [] } = result;
  const listed = whiteList.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (whiteList.length > 0 && !listed && !isLoopback(baseUrl)) {
    causes.push({
      ...CAUSES.whitelist(subject),
      what: `The ${subject.scope}'s domain allowlist (${whiteList.join(", ")}) does not include ${hostname}.`,
    });
  }
  return causes;
}
