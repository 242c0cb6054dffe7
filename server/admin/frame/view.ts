import { ADMIN_PATH, pathPrefix } from "../../platform/config/config.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { AdminServices } from "./services.ts";
import type { Done } from "./action.ts";
import type { Actor } from "../auth/actor.ts";
import type { From } from "../../platform/audit/audit.ts";
import type { Capability } from "../auth/capability.ts";
import type { Flash } from "../auth/cookies.ts";
import type { Posted } from "./ajax_body.ts";
import type { ActionOutcome } from "./run_action.ts";

/** What the check of a form is about. */
export interface CheckedSettings {
  settings: Settings;
  /** Whether they differ from the saved ones. */
  unsaved: boolean;
}

/** A form that was sent, and not saved. */
export interface SentForm extends Posted {
  failure?: ActionOutcome & { ok: false };
  /** Set if it was sent to be checked, and is valid. */
  checked?: CheckedSettings;
}

/** The services that every page gets. */
export const SHARED_SERVICES = ["config", "settings"] as const;

/** What a page is rendered from, in addition to the data it loads: it has the services that the page names. */
export interface View<Service extends keyof AdminServices = never> {
  app: Pick<AdminServices, typeof SHARED_SERVICES[number] | Service>;
  /** The settings as pages show them, if those of `app` have a draft in them. */
  published?: Settings;
  actor: Actor & { kind: "user" };
  /** Path below the admin, such as `/general`. */
  path: string;
  /** The query of its URL, with encrypted parameters decrypted; see `encrypted_query.ts`. */
  query: URLSearchParams;
  /** The encrypted part of the query can't be read. */
  unreadable: boolean;
  /** The query as it is in the URL, with its `?`. */
  search: string;
  now: number;
  /** How many alerts are open. */
  openAlerts: number;
  flash: Flash | undefined;
  /** A form that was not saved, or whose rows are being edited: shown again, with its errors. */
  posted: SentForm | undefined;
  /** The result of an action that the page itself shows. */
  done: (Done & { action: string }) | undefined;
  /** What the request reveals about the visitor's IP, for the Privacy page. */
  request: { peer: string; headers: Headers };
  /** Where the request comes from, for the audit log. */
  from: From;
  may(capability: Capability): boolean;
  /** Returns whether the user may run this action. */
  mayRun(action: string): boolean;
  nonce(action: string): string;
  /** Returns the URL of a page or file of the admin. */
  href(path: string): string;
  /** Returns the query of a link with its personal parameters encrypted; see `encrypted_query.ts`. */
  encryptQuery(fields: Iterable<readonly [string, string]>): Promise<string>;
}

/** Returns the URL path of something in the admin. It has no host, because cfbe may be opened under several names. */
export function adminHref({ config }: Pick<AdminServices, "config">, path: string): string {
  return `${pathPrefix(config.baseUrl)}${ADMIN_PATH}${path}`;
}
