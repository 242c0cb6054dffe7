import { Buffer } from "node:buffer";
import { withPortableValues } from "../kv/portable_values.ts";
import { SAMPLE } from "./accept_server.ts";
import type { RecordedCommit } from "./recorded_commit.ts";

/** A database that only gets commits. */
export interface BareCommits {
  /** Creates the keys for `count` commits in advance, so that this is not measured. */
  prepare(count: number): void;
  /** Makes one commit. @throws {Error} if it fails */
  commitOne(): Promise<void>;
  close(): void;
}

const HMAC_LENGTH = 43;
const UUID_LENGTH = 36;

/** Opens a new file for commits with the sample's size, checks and number of mutations, each with different keys. */
export async function openBareCommits(file: string, sample: RecordedCommit): Promise<BareCommits> {
  const kv = withPortableValues(await Deno.openKv(file));
  const ready: Deno.KvKey[][] = [];
  let made = 0;

  function fresh(): Deno.KvKey[] {
    const email = `visitor-${String(++made).padStart(8, "0")}@site.example`;
    const at = Date.now();
    const part = (value: Deno.KvKeyPart) => {
      if (typeof value === "number" && value > 1e12) return at;
      if (typeof value !== "string") return value;
      if (value.length === HMAC_LENGTH) return randomText();
      if (value.length === UUID_LENGTH) return crypto.randomUUID();
      return value.replace(SAMPLE.email, email);
    };
    const { checks, writes } = sample;
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
      const { checks, writes } = sample;
      const tx = kv.atomic();
      checks.forEach((_, at) => tx.check({ key: keys[at]!, versionstamp: null }));
      writes.forEach(({ value, expireIn }, at) => {
        const key = keys[checks.length + at]!;
        if (value === undefined) tx.delete(key);
        else tx.set(key, value, expireIn === undefined ? {} : { expireIn });
      });
      if (!(await tx.commit()).ok) {
        throw new Error("A bare commit failed its checks without any concurrent commit");
      }
    },
    close: () => kv.close(),
  };
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}
