import { Buffer } from "node:buffer";
import type { Clock, Random } from "../../../platform/deps.ts";
import { type Keyring, secretsEqual } from "../../../platform/keys/keyring.ts";
import { cas, type Decision } from "../../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../../platform/kv/key.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { newRecoveryCodes, typedRecoveryCode } from "./recovery_codes.ts";
import { shownSecret, stepOfCode, withUsed } from "./totp.ts";

/** The second factor of a user, as stored. */
interface SecondFactorRow {
  v: 1;
  /** The secret is derived from it with an identity key, so the database alone reveals nothing. */
  seed: string;
  enabledAt: number;
  /** Keyed hashes of the recovery codes that are left. */
  codes: string[];
  /** Steps of the codes that were used lately. */
  used: number[];
}

/** What is shown about a second factor. */
export interface SecondFactor {
  enabledAt: number;
  /** How many recovery codes are left. */
  codesLeft: number;
}

/** By what a code was accepted. */
export type Accepted = { by: "app" } | { by: "recovery-code"; codesLeft: number };

export const secondFactorKey = (name: string): Key<SecondFactorRow> => typed(keys.adminSecondFactor(name));

/** As base64url; nobody can choose one that is not as long. */
const SEED = /^[\w-]{27}$/;
const SEED_BYTES = 20;
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Longer than any code with its spaces. */
const LONGEST_CODE = 40;

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** Creates the store of second factors: codes of an authenticator app, and recovery codes. */
export function createSecondFactors(
  { kv, clock, random, keyring }: { kv: Kv; clock: Clock; random: Random; keyring: Keyring },
) {
  const derive = (what: string, name: string, text: string) =>
    keyring.identify("cfbe/admin-second-factor", `${what} ${name} ${text}`);
  const secretOf = (name: string, seed: string) =>
    Buffer.from(derive("secret", name, seed), "base64url").subarray(0, SECRET_BYTES);
  const hashed = (name: string, code: string) => derive("recovery", name, code);

  function newCodes(name: string) {
    const codes = newRecoveryCodes(random);
    return { codes, hashes: codes.map((code) => hashed(name, code)) };
  }
  /** Changes the row in one commit. @returns what `decide` returns; nothing is written without a row */
  function change<Value>(
    name: string,
    decide: (row: SecondFactorRow | null) => { value: Value; row?: SecondFactorRow },
  ): Promise<Value> {
    const key = secondFactorKey(name);
    return cas(kv, { factor: key }, ({ factor }): Decision<Value> => {
      const { value, row } = decide(factor.value);
      return row ? { value, write: (tx) => tx.set(key, row) } : { value };
    }, { clock, random });
  }

  return {
    async of(name: string): Promise<SecondFactor | undefined> {
      const row = await readRow(kv, secondFactorKey(name));
      return row ? { enabledAt: row.enabledAt, codesLeft: row.codes.length } : undefined;
    },
    /** Returns those of some users who have one. */
    async among(names: readonly string[]): Promise<Set<string>> {
      const rows = await Promise.all(names.map((name) => readRow(kv, secondFactorKey(name))));
      return new Set(names.filter((_, index) => rows[index]));
    },
    /** Returns what a new secret is derived from. Nothing is stored until a code of it was entered. */
    newSeed: (): string => Buffer.from(random.bytes(SEED_BYTES)).toString("base64url"),
    /** Returns the secret of a seed, for an authenticator app. */
    shown: (name: string, seed: string, issuer: string) =>
      shownSecret(secretOf(name, seed), { issuer, label: name }),
    /**
     * Turns the second factor on, if the code belongs to the seed.
     *
     * @returns the recovery codes, which are stored only as hashes, or why not
     */
    async enable(name: string, seed: string, code: string): Promise<string[] | "wrong" | "exists"> {
      const now = clock.now();
      const step = SEED.test(seed) ? await stepOfCode(secretOf(name, seed), compact(code), now) : undefined;
      if (step === undefined) return "wrong";
      const { codes, hashes } = newCodes(name);
      const row: SecondFactorRow = { v: 1, seed, enabledAt: now, codes: hashes, used: [step] };
      return await change<string[] | "exists">(
        name,
        (kept) => kept ? { value: "exists" } : { value: codes, row },
      );
    },
    /**
     * Uses up a code of the app or a recovery code. Of two requests with the same code, one is accepted.
     *
     * @returns undefined if the code is wrong or used, or the user has no second factor
     */
    async use(name: string, typed: string): Promise<Accepted | undefined> {
      const key = secondFactorKey(name);
      const now = clock.now();
      const seed = (await readRow(kv, key))?.seed;
      if (seed === undefined || typed.length > LONGEST_CODE) return undefined;
      const step = await stepOfCode(secretOf(name, seed), compact(typed), now);
      const recovery = typedRecoveryCode(typed);
      const hash = recovery === undefined ? undefined : hashed(name, recovery);
      return await change<Accepted | undefined>(name, (row) => {
        // The row may be that of another secret since.
        if (!row || row.seed !== seed) return { value: undefined };
        const used = step === undefined ? undefined : withUsed(row.used, step, now);
        if (used) return { value: { by: "app" }, row: { ...row, used } };
        const codes = row.codes.filter((each) => !secretsEqual(hash, each));
        if (hash === undefined || codes.length === row.codes.length) return { value: undefined };
        return { value: { by: "recovery-code", codesLeft: codes.length }, row: { ...row, codes } };
      });
    },
    /** Replaces all recovery codes. @returns the new ones; undefined without a second factor */
    renewCodes(name: string): Promise<string[] | undefined> {
      const { codes, hashes } = newCodes(name);
      return change(
        name,
        (row) => row ? { value: codes, row: { ...row, codes: hashes } } : { value: undefined },
      );
    },
    /** Turns the second factor off. @returns false if there is none */
    remove(name: string): Promise<boolean> {
      const key = secondFactorKey(name);
      return cas(
        kv,
        { factor: key },
        ({ factor }): Decision<boolean> =>
          factor.value ? { value: true, write: (tx) => tx.delete(key) } : { value: false },
        { clock, random },
      );
    },
  };
}

const compact = (code: string) => code.replaceAll(/\s/g, "");
