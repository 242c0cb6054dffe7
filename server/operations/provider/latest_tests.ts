import type { Clock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { withoutAddresses } from "../../platform/observe/log.ts";
import { moduleNamed, valuesOf } from "../../settings/store/provider.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { ConnectionReport } from "./connection.ts";

/** When the setup of each provider was last tested, so that the admin shows it after a reload, too. */

/** The latest connection test of a provider. */
export interface ConnectionCheck {
  v: 1;
  /** Unix milliseconds. */
  at: number;
  /** Keyed hash of the settings that were tested. */
  settings: string;
  /** The account's or project's name, if the test succeeded. */
  name?: string;
  /** Why the test failed. */
  reason?: string;
}

/** The latest test signup with a provider. */
export interface TestSignupCheck {
  v: 1;
  /** Unix milliseconds. */
  at: number;
}

interface Rows {
  connection: ConnectionCheck;
  test_signup: TestSignupCheck;
}

const checkKey = <Check extends keyof Rows>(provider: string, check: Check): Key<Rows[Check]> =>
  typed(keys.providerCheck(provider, check));

interface Deps {
  kv: Kv;
  clock: Clock;
  keyring: Keyring;
  settings: Pick<SettingsStore, "current" | "providers">;
}

/** Stores the result of a connection test. */
export async function noteConnection(app: Deps, provider: string, report: ConnectionReport): Promise<void> {
  const result = report.ok ? { name: report.project } : { reason: withoutAddresses(report.reason) };
  const row = { v: 1, at: app.clock.now(), settings: settingsHash(app, provider), ...result } as const;
  await app.kv.set(checkKey(provider, "connection"), row satisfies ConnectionCheck);
}

/** Stores that a test signup was sent now. */
export async function noteTestSignup({ kv, clock }: Deps, provider: string): Promise<void> {
  await kv.set(checkKey(provider, "test_signup"), { v: 1, at: clock.now() } satisfies TestSignupCheck);
}

export interface ProviderChecks {
  /** `isCurrent` is false if the provider's required settings have changed since the test. */
  connection: (ConnectionCheck & { isCurrent: boolean }) | undefined;
  testSignup: TestSignupCheck | undefined;
}

/** Returns the latest tests of a provider's setup. */
export async function readProviderChecks(
  app: Omit<Deps, "clock">,
  provider: string,
): Promise<ProviderChecks> {
  const [connection, testSignup] = await Promise.all([
    readRow(app.kv, checkKey(provider, "connection")),
    readRow(app.kv, checkKey(provider, "test_signup")),
  ]);
  return {
    connection: connection
      ? { ...connection, isCurrent: connection.settings === settingsHash(app, provider) }
      : undefined,
    testSignup: testSignup ?? undefined,
  };
}

/** Returns a keyed hash of a provider's required settings. Optional ones can change without a test by the admin. */
function settingsHash({ keyring, settings }: Omit<Deps, "clock" | "kv">, provider: string): string {
  const module = moduleNamed(provider, settings.providers)!;
  const values = valuesOf(settings.current(), module);
  const required = Object.keys(module.fields).filter((name) => module.fields[name]!.required);
  return keyring.identify(
    "cfbe/fingerprint",
    JSON.stringify([provider, ...required.map((name) => values[name])]),
  );
}
