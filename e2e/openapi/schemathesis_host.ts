import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { API_TOKEN, runProgram } from "../program.ts";
import { PROGRAM } from "./tools.ts";

const SEED = Deno.env.get("CFBE_TEST_FUZZ_SEED") ?? "1";
const EXAMPLES = Deno.env.get("CFBE_TEST_OPENAPI_EXAMPLES") ?? "50";
const SETTINGS = {
  "general.modules.carts": "true",
  "general.modules.checkout": "true",
  "privacy.ipSource": "x-real-ip",
};
const WEBHOOK_SECRET = "a-secret-of-the-webhooks";

/**
 * What each response must meet. Not that an invalid request is refused: many of these look accepted, so that bots and
 * strangers learn nothing.
 */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

Deno.test("every response is one that the OpenAPI document declares, with all modules on", async () => {
  await using program = await runProgram({
    CFBE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    CFBE_SHOP_SECRET: "a-secret-of-the-shop",
  });
  for (const [path, value] of Object.entries(SETTINGS)) {
    await program.cfbe("settings", "set", path, value);
    assert.equal((await program.cfbe("settings", "get", path)).trim(), value);
  }
  const { code, stdout } = await new Deno.Command(PROGRAM, {
    args: [
      "run",
      `${program.baseUrl}/openapi.json`,
      ...["--header", `Authorization: Bearer ${API_TOKEN}`, "--header", `X-CFBE-Secret: ${WEBHOOK_SECRET}`],
      ...["--checks", CHECKS.join(","), "--max-examples", EXAMPLES, "--seed", SEED, "--no-color"],
    ],
    env: { SCHEMATHESIS_HOOKS: "another_visitor", PYTHONPATH: fileURLToPath(new URL(".", import.meta.url)) },
    // It keeps a cache where it runs.
    cwd: program.folder,
    stdin: "null",
  }).output();
  const report = new TextDecoder().decode(stdout);
  console.log(report.slice(report.lastIndexOf("SUMMARY")));
  assert.equal(code, 0, report);
  assert.doesNotMatch(program.log(), /"level":"error"/);
});
