import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemClock } from "../platform/deps.ts";
import { settingsSchema } from "../settings/schema/schema.ts";
import type { ProviderModule } from "./module.ts";
import { PROVIDERS } from "./providers.ts";
import { PORT_CALLS, type PortCall } from "./testing/port_calls.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const kinds: [string, ProviderModule][] = Object.entries(PROVIDERS);

Deno.test("docs/embed.md says where each provider stores the answers to a form's fields, as its capabilities do", () => {
  const page = Deno.readTextFileSync(`${ROOT}docs/embed.md`);
  const [, table = ""] = /\| its own fields +\|\n[^\n]+\n([^]*?)\n\n/.exec(page) ?? [];
  const rows = table.split("\n").map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(
    rows,
    kinds.map(([, { title, capabilities: { properties } }]) =>
      properties
        ? [
          title,
          properties.called,
          properties.mustExist ? "cfbe creates it" : "no setup needed",
          Object.values(properties.own ?? {}).map((name) => `\`${name}\``).join(", "),
        ]
        : [title, "not stored", "", ""]
    ),
  );
});

for (const [kind, module] of kinds) {
  Deno.test(`${kind} has a folder with its conformance, fault and journey tests, and a docs page`, () => {
    const folder = `server/providers/adapters/${kind}`;
    const tests = ["conformance", "faults", "journey"].map((name) => `${folder}/${name}_test.ts`);
    for (const path of [...tests, module.docs]) assert.ok(existsSync(ROOT + path), path);
    const { grade, date } = module.evidence;
    const page = Deno.readTextFileSync(ROOT + module.docs);
    assert.match(
      page,
      new RegExp(`\\b${grade}\\b[^\\n]*${date}`),
      `${module.docs} says "${grade}" and ${date}`,
    );
    assert.ok(Deno.readTextFileSync(`${ROOT}docs/configure.md`).includes(`\`${kind}\``), "docs/configure.md");
  });

  Deno.test(`${kind}'s setting names are unique, their default is empty, and its API key is a required secret`, () => {
    const others = kinds.filter(([other]) => other !== kind).flatMap(([, { fields }]) => Object.keys(fields));
    const { provider: _, ...rest } = settingsSchema({}).parse({}).general as Record<string, unknown>;
    for (const [name, { schema }] of Object.entries(module.fields)) {
      // BlueFox's names are older than this rule.
      assert.ok(kind === "bluefox" || name.startsWith(kind), name);
      assert.ok(!others.includes(name) && !Object.hasOwn(rest, name), `${name} is taken`);
      assert.equal(schema.parse(undefined), "", name);
    }
    const key = module.fields[module.apiKey]!;
    assert.deepEqual([key.secret, key.required, key.variable], [true, true, "CFBE_PROVIDER_API_KEY"]);
  });

  Deno.test(`${kind}'s adapter has the capabilities of its module`, async () => {
    const settings = () => Object.fromEntries(Object.keys(module.fields).map((name) => [name, ""]));
    const deps = { settings, url: "http://127.0.0.1", clock: systemClock };
    const adapter = await module.create({ ...deps, fetch: () => Promise.reject(new Error("not called")) });
    assert.equal(adapter.capabilities, module.capabilities);
  });

  Deno.test(`${kind} shows no text of another server, whatever that answers to whichever call`, async () => {
    const text = "FOREIGN bounced\r\n\u001b[31m<b>https://u:p@evil.example";
    const texts = { code: text, name: text, title: text, detail: text, message: text };
    const settings = () =>
      Object.fromEntries(
        Object.keys(module.fields).map((name) => [name, name.endsWith("Url") ? "http://127.0.0.1" : "1-us1"]),
      );
    let status = 0;
    const fetch = () =>
      Promise.resolve(Response.json({ ...texts, status, error: texts, errors: [text] }, { status }));
    const adapter = await module.create({ settings, url: "http://127.0.0.1", clock: systemClock, fetch });
    const given = { target: { list: "1", email: "ann@example.com" }, template: "1", secretKey: "1-us1" };
    for (status of [400, 401, 403, 404, 405, 409, 422, 429, 500, 503]) {
      for (const [name, { run }] of Object.entries<PortCall>(PORT_CALLS)) {
        const result = JSON.stringify(await run(adapter, given));
        assert.doesNotMatch(result, /FOREIGN|evil/, `${name} ${status}: ${result}`);
      }
    }
  });
}
