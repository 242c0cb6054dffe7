import assert from "node:assert/strict";
import { proofOf } from "../../operations/remote/proof.ts";
import { startProgram } from "../../../dev/testing/program.ts";
import { knowsToken } from "./prove.ts";
import { cfbe, runningService, TOKEN } from "../testing/cli.ts";

/** Starts a server that responds like cfbe and records everything it receives. */
function impostor(proof: (body: string) => Response | Promise<Response>) {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return Response.json({ ok: true, service: "cfbe" });
    const body = await request.text();
    requests.push(JSON.stringify([...request.headers]) + body);
    return pathname === "/ops/proof" ? await proof(body) : Response.json({});
  });
  const { port } = server.addr;
  return {
    requests,
    address: `http://127.0.0.1:${port}`,
    env: { PORT: `${port}` },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const no = () => new Response(null, { status: 404 });

function post(address: string, body: object, headers: Record<string, string> = {}) {
  return fetch(`${address}/ops/proof`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const NONCE = "a-nonce-of-22-letters-";
const challenge = (at: string, token = TOKEN) => ({
  nonce: NONCE,
  at,
  proof: proofOf("caller", token, { nonce: NONCE, at }),
});

Deno.test("the token is not sent to a program that only looks like cfbe, however it responds to the challenge", async () => {
  const responses = [
    no,
    () => new Response("not JSON"),
    () => Response.json({ proof: "x" }),
    // Returns the caller's own proof.
    (body: string) => Response.json({ proof: JSON.parse(body).proof }),
    () => Response.redirect("http://127.0.0.1:1/", 307),
  ];
  for (const response of responses) {
    await using other = impostor(response);
    for (const command of [["poll"], ["deactivate", "--yes"]]) {
      const { code, err } = await cfbe({ env: other.env }, ...command);
      assert.equal(code, 1);
      assert.match(err, /did not prove that it knows the API token, so the token was not sent/);
    }
    assert.ok(other.requests.length > 0);
    assert.ok(other.requests.every((request) => !request.includes(TOKEN) && !request.includes("Bearer")));
  }
});

Deno.test("a program that forwards the challenge to the real service gets no proof for its own address", async () => {
  await using program = await runningService();
  const passedOn: number[] = [];
  await using other = impostor(async (body) => {
    const response = await post(program.baseUrl, JSON.parse(body));
    passedOn.push(response.status);
    return response;
  });
  assert.equal((await cfbe({ env: other.env }, "poll")).code, 1);
  assert.deepEqual(new Set(passedOn), new Set([401]));
  assert.ok(other.requests.every((request) => !request.includes(TOKEN)));
});

Deno.test("the service proves itself only to a caller that knows the token, and only for its own address", async () => {
  await using program = await runningService();
  const { baseUrl } = program;
  const status = async (...args: Parameters<typeof post>) => {
    const response = await post(...args);
    await response.body?.cancel();
    return response.status;
  };
  const proven = await post(baseUrl, challenge(baseUrl));
  assert.equal((await proven.json()).proof, proofOf("service", TOKEN, { nonce: NONCE, at: baseUrl }));
  assert.equal(await status(baseUrl, challenge(baseUrl, "another-token-of-somebody")), 401);
  assert.equal(await status(baseUrl, challenge("http://127.0.0.1:9")), 401);
  assert.equal(await status(baseUrl, {}), 401);
  assert.equal(await status(baseUrl, { ...challenge(baseUrl), nonce: "short" }), 401);
  assert.equal(await status(baseUrl, []), 400);
  assert.equal(await status(baseUrl, { ...challenge(baseUrl), more: "x".repeat(4_096) }), 413);
  // Behind a proxy, 127.0.0.1 may be another machine.
  assert.equal(await status(baseUrl, challenge(baseUrl), { "x-forwarded-for": "192.0.2.1" }), 401);

  await using behind = await startProgram({
    env: { CFBE_API_TOKEN: TOKEN, CFBE_BASE_URL: "https://news.example" },
  });
  const through = { "x-forwarded-for": "192.0.2.1" };
  const local = new URL(behind.api).origin;
  assert.equal(behind.config.baseUrl, "https://news.example");
  assert.equal(await status(local, challenge("https://news.example"), through), 200);
  assert.equal(await status(local, challenge(`http://127.0.0.1:${behind.config.port}`)), 200);
  assert.equal(await status(local, challenge(`http://127.0.0.1:${behind.config.port}`), through), 401);
});

Deno.test("a stored token proves itself by its hash and is not sent, until it is revoked or has expired", async () => {
  await using program = await runningService({ run: false });
  const { apiTokens } = program.services;
  const add = async (name: string, expiresAt?: number) => {
    const added = await apiTokens.add({ name, scopes: ["read"], by: "ann", ...(expiresAt && { expiresAt }) });
    assert(typeof added === "object");
    return added;
  };
  const [live, expired] = [await add("live"), await add("expired", 1)];
  assert.equal(await knowsToken(program.baseUrl, live.token), true);
  assert.equal(await knowsToken(program.baseUrl, expired.token), false);
  assert.equal(await knowsToken(program.baseUrl, `${live.token.slice(0, -43)}${"x".repeat(43)}`), false);
  await apiTokens.revoke(live.id);
  assert.equal(await knowsToken(program.baseUrl, live.token), false);
  await using other = impostor(no);
  assert.equal(await knowsToken(other.address, live.token), false);
  assert.ok(other.requests.length === 1 && !other.requests[0]!.includes(live.token.slice(-43)));
});
