import { Buffer } from "node:buffer";
import type { RecordedCommit } from "./recorded_commit.ts";
import { SAMPLE, visitor } from "./signups.ts";

/** A database that only gets commits, each awaited by itself. */
export interface BareCommits extends Disposable {
  /** Creates the keys for `count` commits in advance, so that this is not measured. */
  prepare(count: number): void;
  /** Makes one commit. @throws {Error} if it fails */
  commitOne(): Promise<void>;
}

const HMAC_LENGTH = 43;
const UUID_LENGTH = 36;

/**
 * Opens a new file for commits with the sample's size, checks and number of mutations, each with different keys. Uses
 * `Deno.openKv` itself, so that nothing in the server can make a bare commit cheaper.
 */
export async function openBareCommits(file: string, sample: RecordedCommit): Promise<BareCommits> {
  const kv = await Deno.openKv(file);
  const encoder = new TextEncoder();
  const { checks, writes } = sample;
  const values = writes.map(({ value }) =>
    value === undefined ? undefined : encoder.encode(JSON.stringify(value))
  );
  const ready: Deno.KvKey[][] = [];
  let made = 0;

  function fresh(): Deno.KvKey[] {
    const { email } = visitor(++made);
    const at = Date.now();
    const part = (value: Deno.KvKeyPart) => {
      if (typeof value === "number" && value > 1e12) return at;
      if (typeof value !== "string") return value;
      if (value.length === HMAC_LENGTH) return randomText();
      if (value.length === UUID_LENGTH) return crypto.randomUUID();
      return value.replace(SAMPLE.email, email);
    };
    const again = new Map<string, Deno.KvKey>();
    return [...checks, ...writes.map(({ key }) => key)].map((key) => {
      const name = JSON.stringify(key);
      const known = again.get(name) ?? key.map(part);
      again.set(name, known);
      return known;
    });
  }

  return {
    prepare(count) {
      while (ready.length < count) ready.push(fresh());
    },
    async commitOne() {
      const keys = ready.pop() ?? fresh();
      const tx = kv.atomic();
      checks.forEach((_, at) => tx.check({ key: keys[at]!, versionstamp: null }));
      writes.forEach(({ expireIn }, at) => {
        const [key, value] = [keys[checks.length + at]!, values[at]];
        if (value === undefined) tx.delete(key);
        else tx.set(key, value, expireIn === undefined ? {} : { expireIn });
      });
      if (!(await tx.commit()).ok) {
        throw new Error("A bare commit failed its checks without any concurrent commit");
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}
