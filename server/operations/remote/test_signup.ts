import type { Clock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Admission } from "../../signup/subscribe/admission.ts";
import { TEST_FORM } from "../../forms/public/test_form.ts";
import { signupKey, type SignupRecord } from "../../signup/record/row.ts";
import { counterEntryOf } from "../../signup/subscribe/reply.ts";
import type { SignupService } from "../../signup/subscribe/service.ts";
import { noteTestSignup } from "../provider/latest_tests.ts";

interface Deps {
  kv: Kv;
  clock: Clock;
  keyring: Keyring;
  counters: Counters;
  settings: SettingsStore;
  signups: SignupService;
}

export type TestSignupResult =
  | Admission
  /** The address has signed up before, so its signup would not be a test, or would send no email. */
  | { kind: "known" };

/**
 * Signs an address up to the default list as a test: it takes the same way as a visitor's signup, and figures leave it
 * out. Nobody ticked a consent box, so the proof of consent contains none.
 *
 * @param email normalized
 */
export async function sendTestSignup(app: Deps, email: string): Promise<TestSignupResult> {
  const { general } = app.settings.current();
  const list = general.defaultList;
  const record = await readRow(app.kv, signupKey(email, list));
  if (record && !mayRepeat(record)) return { kind: "known" };
  const admission = await app.signups.accept({
    email,
    list,
    provider: general.provider,
    tags: ["placement-test"],
    source: "shortcode",
    form: TEST_FORM,
    consent: { given: false, locale: "en", ip: null, placement: "test" },
  }, []);
  app.counters.count(TEST_FORM, counterEntryOf(admission));
  if (admission.kind === "accepted") await noteTestSignup(app, general.provider);
  return admission;
}

/** Returns whether a record is that of a test signup that nobody has confirmed. */
function mayRepeat({ form, status }: SignupRecord): boolean {
  return form === TEST_FORM && status !== "active";
}

/** How far a test signup has come. */
export interface TestSignup {
  status: SignupRecord["status"];
  /** When the test was sent, Unix milliseconds. */
  acceptedAt: number;
  /** The provider has accepted it. */
  delivered: boolean;
  /** When cfbe detected the confirmation, Unix milliseconds. */
  confirmedAt?: number;
  /** Why it failed. */
  reason?: string;
  /** The provider added the address to the list without a confirmation. */
  unconfirmed: boolean;
}

/** Returns how far the test signup of an address has come; undefined if there is none. */
export async function readTestSignup(
  { kv, settings }: Pick<Deps, "kv" | "settings">,
  email: string,
): Promise<TestSignup | undefined> {
  const record = await readRow(kv, signupKey(email, settings.current().general.defaultList));
  if (record?.form !== TEST_FORM) return undefined;
  const { status, createdAt, confirmed, reason } = record;
  return {
    status,
    acceptedAt: createdAt,
    delivered: status === "pending" || status === "active",
    ...(status === "active" && { confirmedAt: confirmed?.at ?? record.since }),
    ...(status === "failed" && reason !== undefined && { reason }),
    unconfirmed: status === "active" && (confirmed === undefined || confirmed.by === "delivery"),
  };
}
