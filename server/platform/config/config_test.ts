import assert from "node:assert/strict";
import fc from "fast-check";
import { readEnvironment } from "../../settings/store/environment.ts";
import { ConfigError, isLoopback, pathPrefix } from "./config.ts";

function problems(env: Record<string, string>): string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

Deno.test("an empty environment means the sandbox on port 8000, with its database in a file", () => {
  const { port, baseUrl, kv, provider, answerFloorMs, deploy } = readEnvironment({});
  assert.deepEqual([port, baseUrl, kv, provider, answerFloorMs, deploy], [
    8000,
    "http://localhost:8000",
    "data/cfbe.kv",
    "sandbox",
    75,
    false,
  ]);
});

Deno.test("cfbe is only reachable from this machine, unless CFBE_HOST is set to another address", () => {
  assert.equal(readEnvironment({}).host, "127.0.0.1");
  for (const host of ["0.0.0.0", "::", "10.0.0.5"]) {
    assert.equal(readEnvironment({ CFBE_HOST: host }).host, host);
  }
  assert.match(problems({ CFBE_HOST: "http://x/" })[0]!, /^CFBE_HOST must be an address of this machine/);
});

Deno.test("an empty variable counts as not set", () => {
  const env = { PORT: "", CFBE_SALT: "", CFBE_BASE_URL: "", CFBE_KV: "", CFBE_PROVIDER: "" };
  assert.deepEqual(readEnvironment(env), readEnvironment({}));
});

Deno.test("the base URL uses the port by default, and trailing slashes are removed", () => {
  assert.equal(readEnvironment({ PORT: "9000" }).baseUrl, "http://localhost:9000");
  assert.equal(
    readEnvironment({ CFBE_BASE_URL: "https://a.example/news//" }).baseUrl,
    "https://a.example/news",
  );
  assert.equal(pathPrefix("https://a.example/news"), "/news");
  assert.equal(pathPrefix("https://a.example"), "");
});

Deno.test("the error lists every invalid variable and contains no secret", () => {
  const found = problems({
    PORT: "0",
    CFBE_BASE_URL: "ftp://x",
    CFBE_SALT: "hunter2",
    CFBE_SALT_PREVIOUS: `${"x".repeat(32)}, hunter3`,
    CFBE_PROVIDER: "post office",
    CFBE_PROVIDER_URL: "nowhere",
    CFBE_API_TOKEN: "hunter4",
    CFBE_ADMIN_PASSWORD: "hunter5",
    CFBE_ANSWER_FLOOR_MS: "-1",
    CFBE_TYPO: "1",
  });
  const names = found.map((problem) => /PORT|CFBE_\w+/.exec(problem)?.[0] ?? problem);
  assert.deepEqual(
    names.toSorted(),
    [
      "CFBE_ADMIN_PASSWORD",
      "CFBE_ANSWER_FLOOR_MS",
      "CFBE_API_TOKEN",
      "CFBE_BASE_URL",
      "CFBE_PROVIDER",
      "CFBE_PROVIDER_URL",
      "CFBE_SALT",
      "CFBE_SALT_PREVIOUS",
      "CFBE_TYPO",
      "PORT",
    ],
  );
  assert.doesNotMatch(found.join(), /hunter/);
});

Deno.test("the public URL and that of an identity provider have no credentials, which pages and logs would show", () => {
  for (const name of ["CFBE_BASE_URL", "CFBE_OIDC_ISSUER"]) {
    for (const value of ["https://ann:hunter2@news.example", "https://hunter2@news.example/x"]) {
      assert.throws(() => readEnvironment({ [name]: value }), ({ message }: Error) => {
        assert.match(message, new RegExp(`${name} must have no user and no password`));
        assert.doesNotMatch(message, /hunter2/);
        return true;
      });
    }
  }
});

Deno.test("the issuer of an identity provider keeps the slash at its end, which is part of its name", () => {
  const env = { CFBE_OIDC_CLIENT_ID: "cfbe", CFBE_OIDC_CLIENT_SECRET: "secret" };
  for (
    const issuer of ["https://id.example/application/o/cfbe/", "https://id.example/", "https://id.example"]
  ) {
    assert.equal(readEnvironment({ ...env, CFBE_OIDC_ISSUER: issuer }).oidc?.issuer, issuer);
  }
});

Deno.test("white space around a URL is no part of it", () => {
  for (const [before, after] of [["", " "], ["", "\n"], [" ", "/\r\n"]]) {
    const { baseUrl } = readEnvironment({ CFBE_BASE_URL: `${before}https://news.example${after}` });
    assert.equal(baseUrl, "https://news.example");
  }
});

Deno.test("a database file with white space around its name is refused, because it is another file than the one meant", () => {
  for (const kv of ["/data/cfbe.kv\n", "/data/cfbe.kv\r", " /data/cfbe.kv"]) {
    assert.throws(() => readEnvironment({ CFBE_KV: kv }), /CFBE_KV must not begin or end with white space/);
  }
  assert.equal(readEnvironment({ CFBE_KV: "/my data/cfbe.kv" }).kv, "/my data/cfbe.kv");
  assert.equal(readEnvironment({ CFBE_KV: "postgres://a/b\n" }).kv, "postgres://a/b");
});

Deno.test("the line break at the end of a file is no part of the API token and of the admin's password, which is typed without it", () => {
  assert.equal(readEnvironment({ CFBE_API_TOKEN: "a-token-of-tests\n" }).apiToken, "a-token-of-tests");
  assert.equal(readEnvironment({ CFBE_ADMIN_PASSWORD: "ten letters\r\n" }).adminPassword, "ten letters");
  assert.throws(() => readEnvironment({ CFBE_ADMIN_PASSWORD: "nine-----\n" }), /at least 10 characters/);
});

Deno.test("the error for an unknown variable suggests the closest one, if one is close", () => {
  assert.deepEqual(problems({ CFBE_BASEURL: "https://news.example" }), [
    "Unknown variable CFBE_BASEURL. Did you mean CFBE_BASE_URL?",
  ]);
  assert.deepEqual(problems({ CFBE_PROVIDRE: "sandbox" }), [
    "Unknown variable CFBE_PROVIDRE. Did you mean CFBE_PROVIDER?",
  ]);
  assert.deepEqual(problems({ CFBE_SOMETHING: "1" }), ["Unknown variable CFBE_SOMETHING."]);
  assert.deepEqual(problems({ CFBE_PORT: "1" }), ["Unknown variable CFBE_PORT. Did you mean PORT?"]);
  assert.deepEqual(problems({ CFBE_DATA_DIR: "/d" }), [
    "Unknown variable CFBE_DATA_DIR. Did you mean CFBE_KV?",
  ]);
});

Deno.test("on Deno Deploy, salt and token are required, and the platform's database is used", () => {
  assert.equal(problems({ DENO_DEPLOY: "1" }).length, 2);
  const env = { DENO_DEPLOYMENT_ID: "x", CFBE_SALT: "x".repeat(32), CFBE_API_TOKEN: "x".repeat(16) };
  assert.deepEqual([readEnvironment(env).kv, readEnvironment(env).deploy], [undefined, true]);
});

Deno.test("a preview on Deno Deploy without secrets uses nothing of the real site", () => {
  const real = {
    CFBE_KV: "https://kv.example",
    CFBE_PROVIDER: "bluefox",
    CFBE_PROVIDER_API_KEY: "real",
    CFBE_SHOP_API_KEY: "real",
  };
  for (const DENO_TIMELINE of ["preview/abc", "git-branch/feature"]) {
    const config = readEnvironment({ ...real, DENO_DEPLOY: "true", DENO_TIMELINE });
    assert.deepEqual([
      config.throwAway,
      config.kv,
      config.provider,
      config.variables,
    ], [
      true,
      ":memory:",
      "sandbox",
      { CFBE_PROVIDER: "sandbox" },
    ]);
  }
  const set = { CFBE_SALT: "s".repeat(32), CFBE_API_TOKEN: "t".repeat(16) };
  const own = readEnvironment({ ...real, ...set, DENO_DEPLOY: "true", DENO_TIMELINE: "preview/abc" });
  assert.deepEqual([own.throwAway, own.kv, own.salt], [false, "https://kv.example", set.CFBE_SALT]);
});

Deno.test("production on Deno Deploy and self-hosted servers never start with temporary secrets", () => {
  for (const timeline of [{ DENO_TIMELINE: "production" }, {}]) {
    assert.throws(
      () => readEnvironment({ DENO_DEPLOY: "true", ...timeline }),
      /CFBE_SALT is required/,
    );
  }
  assert.equal(readEnvironment({ DENO_TIMELINE: "preview/abc" }).throwAway, false);
});

Deno.test("any environment gives a configuration or a list of problems", () => {
  const name = fc.constantFrom(
    "PORT",
    "CFBE_BASE_URL",
    "CFBE_SALT",
    "CFBE_KV",
    "CFBE_ANSWER_FLOOR_MS",
    "CFBE_X",
  );
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.oneof(fc.string(), fc.webUrl(), fc.nat().map(String))),
      (env) => void problems(env),
    ),
  );
});

Deno.test("a loopback URL is only reachable from this machine", () => {
  const loopback = [
    "http://localhost:8000",
    "http://127.0.0.1",
    "http://127.9.9.9/x",
    "http://[::1]:1",
    "http://a.localhost",
  ];
  const outside = [
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://mylocalhost",
  ];
  for (const url of loopback) assert.equal(isLoopback(url), true, url);
  for (const url of outside) assert.equal(isLoopback(url), false, url);
});

Deno.test("backups are made by themselves only into a folder, daily and for two weeks unless set otherwise", () => {
  assert.equal(readEnvironment({ CFBE_BACKUP_HOURS: "1" }).backups, undefined);
  const DIR = { CFBE_BACKUP_DIR: "/backups" };
  assert.deepEqual(readEnvironment(DIR).backups, {
    folder: "/backups",
    everyMs: 86_400_000,
    kept: 14,
    recipients: [],
  });
  const keys = ["age1" + "q".repeat(58), "age1" + "p".repeat(58)];
  const set = {
    ...DIR,
    CFBE_BACKUP_HOURS: "6",
    CFBE_BACKUP_KEEP: "30",
    CFBE_BACKUP_RECIPIENTS: keys.join(", "),
  };
  assert.deepEqual(readEnvironment(set).backups, {
    folder: "/backups",
    everyMs: 21_600_000,
    kept: 30,
    recipients: keys,
  });
  assert.match(problems({ ...DIR, CFBE_BACKUP_HOURS: "0" })[0]!, /^CFBE_BACKUP_HOURS must be a whole number/);
  assert.match(problems({ ...DIR, CFBE_BACKUP_KEEP: "1" })[0]!, /^CFBE_BACKUP_KEEP must be a whole number/);
  assert.match(
    problems({ ...DIR, CFBE_BACKUP_RECIPIENTS: "ssh-rsa x" })[0]!,
    /^CFBE_BACKUP_RECIPIENTS must be/,
  );
});
