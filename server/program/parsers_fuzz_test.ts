import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { FUZZ, nearBytes, nearText, nearValue } from "../../dev/testing/near.ts";
import { text } from "../../dev/testing/odd_requests.ts";
import { seededRandom } from "../../dev/testing/seeded_random.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import { readHeader } from "../forms/images/header.ts";
import { readFormConfig, readVariants, signFormConfig } from "../forms/public/signed_config.ts";
import { BadBackup, newHeader, readBackup, writeBackup } from "../operations/backup/file.ts";
import { createTicket, proofId, splitToken } from "../platform/attack/challenge.ts";
import { parseConfig } from "../platform/config/config.ts";
import { StartError } from "../platform/config/start_error.ts";
import { bearerOf } from "../platform/http/bearer.ts";
import { normalizeEmail } from "../platform/http/email.ts";
import { requestedWaitMs } from "../platform/http/outbound/rate_limit.ts";
import { asObject, parseJson } from "../platform/http/request_body.ts";
import { isRange, normalizeIp } from "../platform/http/visitor/ip_ranges.ts";
import { networksOf } from "../platform/http/visitor/network.ts";
import { limitSubject, visitorIp } from "../platform/http/visitor/visitor_ip.ts";
import { issueToken, tokenFault } from "../platform/keys/form_token.ts";
import { createKeyring } from "../platform/keys/keyring.ts";
import { parseSalts } from "../platform/keys/salt_file.ts";
import { isPostgres, withoutPassword } from "../platform/kv/address.ts";
import { parsePostgresAddress } from "../platform/kv/engines/postgres_address.ts";
import { idIn } from "../platform/tokens/secret.ts";
import { InvalidRequest, readConnectRequest } from "../platform/tokens/sites/connect_request.ts";
import { readFormDocument } from "../settings/forms/form_document.ts";
import { settingsOf, SettingsSchema } from "../settings/schema/schema.ts";
import { isSimpleSelector } from "../settings/schema/simple_selector.ts";
import { nextPageOf } from "../settings/schema/success_url.ts";
import { readPage } from "../signup/attribution/read_page.ts";
import { inboxOf } from "../signup/delivery/inbox.ts";

/**
 * Sends nearly valid inputs to everything that reads what comes from outside: it returns, or throws the one error that it
 * declares, and what it accepts is what it promises. `app_fuzz_test.ts` does the same with the routes.
 */

const NOW = Date.UTC(2025, 0, 2);
const keyring = createKeyring(["a salt that is long enough for this"]);
const random = seededRandom(1);
const token = issueToken(keyring, NOW - 60_000);
const signedConfig = signFormConfig(keyring, { list: "newsletter", placement: "footer" });
const utf8 = (value: string) => new TextEncoder().encode(value);
const headersOf = (value: string): Headers | undefined => {
  try {
    return new Headers({
      authorization: value,
      "x-forwarded-for": value,
      "retry-after": value,
      ratelimit: value,
    });
  } catch {
    return undefined;
  }
};

interface Parser<Input = unknown> {
  inputs: fc.Arbitrary<Input>;
  /** Reads an input, and checks what it has accepted. */
  read(input: Input): unknown;
  /** What it may throw. */
  throws?: new (...args: never[]) => Error;
}
const parser = <Input>(row: Parser<Input>): Parser => row as Parser;

/** Everything that reads text, bytes or values from outside, by what it reads. */
const PARSERS: Record<string, Parser> = {
  "an email address": parser({
    inputs: fc.oneof(nearText("ada@example.com", "Ada+news@GMAIL.com", "a.b@münchen.example"), fc.anything()),
    read(input) {
      const email = normalizeEmail(input);
      if (email === undefined) return;
      assert.equal(normalizeEmail(email), email);
      assert.match(email, /^[^\s@<>]+@[^\s@<>]+$/);
      for (const spelling of [mailboxOf(email), inboxOf(email)]) assert.match(spelling, /^[^@]+@[^@]+$/);
    },
  }),
  "an IP address": parser({
    inputs: nearText(
      "192.0.2.1",
      "2001:db8::1",
      "::ffff:192.0.2.1",
      "192.0.2.0/24",
      "[2001:db8::1]:443",
      "fe80::1%eth0",
    ),
    read(input) {
      isRange(input);
      const ip = normalizeIp(input);
      if (ip === undefined) return;
      assert.equal(normalizeIp(ip), ip);
      assert.ok(limitSubject(ip) && networksOf(ip).every(Boolean));
    },
  }),
  "headers with addresses, keys and waits": parser({
    inputs: nearText(
      "192.0.2.1, 198.51.100.7",
      "Bearer abc",
      "120",
      "Wed, 21 Oct 2026 07:28:00 GMT",
      '"a";r=0;t=30',
    ),
    read(input) {
      const headers = headersOf(input);
      if (!headers) return;
      bearerOf(headers);
      const ip = visitorIp(
        "127.0.0.1",
        headers,
        {
          ...{ ipSource: "x-forwarded-for", trustedProxies: ["127.0.0.1"], trustedHops: 1 },
        } as Parameters<typeof visitorIp>[2],
      );
      assert.equal(normalizeIp(ip), ip);
      const wait = requestedWaitMs(headers, NOW);
      assert.ok(wait === undefined || (Number.isFinite(wait) && wait >= 0), String(wait));
    },
  }),
  "the bytes of a request": parser({
    inputs: nearBytes(utf8('{"email":"ada@example.com","source":"popup"}')),
    read: (input) => asObject(parseJson(input)),
  }),
  "a form token": parser({
    inputs: fc.oneof(nearText(token), fc.anything()),
    read(input) {
      const fault = tokenFault(keyring, input, NOW);
      assert.equal(fault === undefined, input === token, "a token that was not issued");
    },
  }),
  "a proof of work": parser({
    inputs: nearText(
      `${token}.${createTicket({ keyring, random }, token)}`,
      `${token}.${btoa('{"algorithm":"SHA-256"}')}`,
    ),
    read(input) {
      const { proof } = splitToken(input);
      if (proof === undefined) return;
      const id = proofId(keyring, token, proof, NOW);
      assert.ok(id === undefined || input.includes(id), "a proof that was not issued");
    },
  }),
  "a signed configuration": parser({
    inputs: fc.oneof(nearText(signedConfig), fc.anything()),
    read(input) {
      readVariants(keyring, input);
      const config = readFormConfig(keyring, input);
      if (config) {
        assert.equal(signFormConfig(keyring, config), signedConfig, "a configuration that was not signed");
      }
    },
  }),
  "the page of a signup": parser({
    inputs: nearValue({
      path: "/a?b=c",
      referrer: "https://site.example",
      utm: { source: "x", medium: "y" },
    }),
    read(input) {
      const page = readPage(input);
      assert.ok(page === undefined || (page.path.startsWith("/") && JSON.stringify(page).length < 4_000));
    },
  }),
  "the next page": parser({
    inputs: nearText(
      "https://site.example/thanks",
      "/thanks?a=b#c",
      "//other.example",
      "javascript:alert(1)",
    ),
    read: (input) =>
      nextPageOf(input, { baseUrl: "https://news.example", origins: ["https://site.example"] }),
  }),
  "a selector": parser({
    inputs: nearText("#a .b > c[d='e'], f", "main article:has(h1)", "a".repeat(50)),
    read: (input) => isSimpleSelector(input),
  }),
  "the file of a form": parser({
    inputs: fc.oneof(
      nearText(
        JSON.stringify({
          format: "cfbe-form",
          v: 1,
          form: { name: "footer", texts: { heading: "Hi" } },
          images: {},
        }),
      ),
      nearValue({
        format: "cfbe-form",
        v: 1,
        form: { name: "footer", design: { image: { id: "x" } } },
        images: { x: "AA==" },
      })
        .map(text),
    ),
    read: (input) => readFormDocument(input),
  }),
  "the header of an image": parser({
    inputs: nearBytes(
      Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000100806000000", "hex"),
      Buffer.from("524946462400000057454250565038200c000000300100009d012a1000100001", "hex"),
      Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080010001001011100", "hex"),
    ),
    read(input) {
      const header = readHeader(input);
      assert.ok(!header || (header.width > 0 && header.height > 0));
    },
  }),
  "the settings": parser({
    inputs: nearValue({
      general: { defaultList: "news", origins: ["https://site.example"] },
      forms: {
        forms: [{
          name: "footer",
          opens: { as: "popup", afterSeconds: 5 },
          fields: [{ name: "city", kind: "text" }],
        }],
      },
      privacy: { trustedProxies: ["127.0.0.1"], trustedHops: 1 },
    }),
    read: (input) => SettingsSchema.safeParse(input),
  }),
  "the environment": parser({
    inputs: fc.record({
      CFBE_BASE_URL: nearText("https://news.example/path"),
      CFBE_KV: nearText("postgres://user:password@host/name", "https://kv.example", "data/cfbe.kv"),
      CFBE_ANSWER_FLOOR_MS: nearText("75"),
      PORT: nearText("8000"),
    }, { requiredKeys: [] }),
    read: (input) => parseConfig(input, settingsOf()),
    throws: StartError,
  }),
  "a salt file": parser({
    inputs: nearText(
      JSON.stringify({ v: 1, salts: ["s".repeat(40)] }),
      "a salt that is long enough for this",
    ),
    read: (input) => assert.ok(parseSalts(input).accepted.length > 0),
    throws: StartError,
  }),
  "the address of a database": parser({
    inputs: nearText("postgres://user:password@a.example:5432,b.example/name?connections=5&sslmode=require"),
    read(input) {
      if (!isPostgres(input)) return;
      withoutPassword(input);
      parsePostgresAddress(input);
    },
    throws: TypeError,
  }),
  "an API token": parser({
    inputs: nearText(`cfbe_${"a".repeat(12)}_${"b".repeat(43)}`),
    read: (input) => idIn(input),
  }),
  "the request of a site to be connected": parser({
    inputs: nearText(
      "site=https%3A%2F%2Fshop.example&name=Shop&redirect_uri=https%3A%2F%2Fshop.example%2Fwp-admin%2F&state=" +
        `${"s".repeat(43)}&code_challenge=${"c".repeat(43)}&code_challenge_method=S256&response_type=code`,
    ),
    read(input) {
      const { site, redirectUri } = readConnectRequest(new URLSearchParams(input)) as unknown as Record<
        string,
        string
      >;
      if (site && redirectUri) assert.equal(new URL(redirectUri).origin, new URL(site).origin);
    },
    throws: InvalidRequest,
  }),
};

const perParser = Math.ceil(FUZZ.inputs / (Object.keys(PARSERS).length + 1));
const run = { numRuns: perParser, seed: FUZZ.seed };
const acceptsOnly = (error: unknown, throws: Parser["throws"]) => {
  if (!throws || !(error instanceof throws)) throw error;
};

for (const [what, { inputs, read, throws }] of Object.entries(PARSERS)) {
  Deno.test(`no input breaks what reads ${what}`, () => {
    fc.assert(
      fc.property(inputs, (input) => {
        try {
          read(input);
        } catch (error) {
          acceptsOnly(error, throws);
        }
      }),
      run,
    );
  });
}

Deno.test("no file breaks what reads a backup, and none that was changed is accepted", async () => {
  const rows = [{ key: ["s", "main", "settings", "general"] as const, value: { v: 1, defaultList: "news" } }];
  const stream = writeBackup(
    newHeader(keyring, NOW),
    async function* () {
      yield* rows as unknown as Parameters<typeof writeBackup>[1] extends AsyncIterable<infer Row> ? Row[]
        : never;
    }(),
  );
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const unpacked = await new Response(new Blob([whole]).stream().pipeThrough(new DecompressionStream("gzip")))
    .text();
  const packed = (content: string) =>
    new Response(content).body!.pipeThrough(new CompressionStream("gzip")) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
  await fc.assert(
    fc.asyncProperty(nearBytes(whole), nearText(unpacked), async (bytes, content) => {
      for (const file of [new Blob([bytes]).stream(), packed(content)]) {
        try {
          const { rows } = await readBackup(file);
          assert.equal(rows, 1);
        } catch (error) {
          acceptsOnly(error, BadBackup);
        }
      }
    }),
    { ...run, numRuns: Math.ceil(perParser / 4) },
  );
});
