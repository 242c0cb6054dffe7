import { ADMIN_PATH, type Config } from "../../platform/config/config.ts";
import type { Clock, Fetch, Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { type Audit, createAudit } from "../../platform/audit/audit.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Cookies, createCookies } from "./cookies.ts";
import { createHashQueue, type HashQueue } from "./hash_queue.ts";
import { createSessions, type Sessions } from "./session.ts";
import { createPasswordLinks, type PasswordLinks } from "./password_link_store.ts";
import { createOidcClient, type OidcClient } from "./oidc/client.ts";
import { OIDC_BACK } from "./oidc/paths.ts";
import { createPasskeys, type Passkeys } from "./passkeys/store.ts";
import { createSecondFactors, type SecondFactors } from "./second_factor/store.ts";
import { openSetUp } from "./set_up.ts";
import { createUsers, type Users } from "./users.ts";
import { createWaysIn, type WaysIn } from "./ways_in.ts";

/** Users, sessions and the audit log of the admin. */
export interface Admin {
  users: Users;
  passwordLinks: PasswordLinks;
  /** The queue for all password hashes. */
  hashes: HashQueue;
  sessions: Sessions;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  /** The identity provider; undefined without one. */
  oidc: OidcClient | undefined;
  waysIn: WaysIn;
  cookies: Cookies;
  audit: Audit;
  /** Creates the link for the first admin. @returns its URL, or undefined if someone can sign in already */
  openSetUp(): Promise<string | undefined>;
}

export function createAdmin(
  deps: {
    config: Pick<Config, "baseUrl" | "adminPassword" | "oidc">;
    fetch: Fetch;
    kv: Kv;
    clock: Clock;
    random: Random;
    keyring: Keyring;
  },
): Admin {
  const { baseUrl, adminPassword: fixedPassword, oidc } = deps.config;
  const hashes = createHashQueue();
  const users = createUsers({ ...deps, hashes, fixedPassword });
  const passkeys = createPasskeys(deps);
  return {
    hashes,
    users,
    passwordLinks: createPasswordLinks({ ...deps, hashes, fixedPassword }),
    sessions: createSessions({ ...deps, users }),
    secondFactors: createSecondFactors(deps),
    passkeys,
    waysIn: createWaysIn({ ...deps, passkeys, users }),
    oidc: oidc && createOidcClient({ ...deps, oidc, redirectUri: `${baseUrl}${ADMIN_PATH}${OIDC_BACK}` }),
    cookies: createCookies(deps.config),
    audit: createAudit(deps),
    async openSetUp() {
      const token = await openSetUp({ ...deps, fixedPassword });
      return token && `${baseUrl}${ADMIN_PATH}/set-up#${token}`;
    },
  };
}
