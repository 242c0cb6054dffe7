import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { type Lock, sbomOf } from "./sbom.ts";

const read = async (path: string) =>
  JSON.parse(await Deno.readTextFile(new URL(`../../${path}`, import.meta.url)));
const SCHEMAS = "node_modules/@cyclonedx/cyclonedx-library/res/schema";

const AT = new Date("2026-11-26T05:00:00Z");
const lock: Lock = await read("production.lock");
const text = sbomOf(lock, "1.2.0", AT);
/** The members that are read here. */
interface Sbom {
  metadata: { timestamp: string };
  components: { "bom-ref": string; name: string; purl: string; hashes: { content: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
const sbom: Sbom = JSON.parse(text);

Deno.test("the SBOM is valid CycloneDX 1.6", async () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ["spdx", "jsf-0.82"].map((name) => `${name}.SNAPSHOT.schema.json`)) {
    ajv.addSchema(await read(`${SCHEMAS}/${name}`), `http://cyclonedx.org/schema/${name}`);
  }
  const validate = ajv.compile(await read(`${SCHEMAS}/bom-1.6.SNAPSHOT.schema.json`));
  assert.ok(validate(sbom), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...sbom, components: [{ name: "without a type" }] }));
});

Deno.test("the SBOM has every package that production installs once, with its checksum", async () => {
  const installed = Object.keys(lock.npm).map((key) => /^(@?[^@]+@[^_]+)/.exec(key)![1]);
  const refs = sbom.components.map((component) => component["bom-ref"]);
  assert.deepEqual(refs.sort(), [...new Set(installed)].sort());
  const zod = sbom.components.find(({ name }) => name === "zod")!;
  const [, locked] = Object.entries(lock.npm).find(([key]) => key.startsWith("zod@"))!;
  assert.equal("sha512-" + Uint8Array.fromHex(zod.hashes[0]!.content).toBase64(), locked.integrity);
  assert.match(zod.purl, /^pkg:npm\/zod@\d/);
  const program = sbom.dependencies.find(({ ref }) => ref === "cfbe@1.2.0")!;
  const listed = Object.values<string>((await read("server/deno.json")).imports);
  assert.deepEqual(program.dependsOn.sort(), listed.map((target) => target.replace("npm:", "")).sort());
});

Deno.test("the same lock file gives the same bytes", () => {
  assert.equal(sbomOf(lock, "1.2.0", AT), text);
  assert.equal(sbom.metadata.timestamp, "2026-11-26T05:00:00.000Z");
});

Deno.test("a dependency is found with and without its version and its peers", () => {
  const integrity = "sha512-" + new Uint8Array(64).toBase64();
  const small: Lock = {
    specifiers: { "npm:@s/a@1.0.0": "1.0.0_b@2.0.0" },
    npm: {
      "@s/a@1.0.0_b@2.0.0": { integrity, dependencies: ["b@2.0.0", "c"] },
      "b@1.0.0": { integrity },
      "b@2.0.0": { integrity },
      "c@3.0.0": { integrity, dependencies: ["b@1.0.0"] },
    },
  };
  const { dependencies } = JSON.parse(sbomOf(small, "1.0.0", AT));
  assert.deepEqual(dependencies, [
    { ref: "@s/a@1.0.0", dependsOn: ["b@2.0.0", "c@3.0.0"] },
    { ref: "b@1.0.0" },
    { ref: "b@2.0.0" },
    { ref: "c@3.0.0", dependsOn: ["b@1.0.0"] },
    { ref: "cfbe@1.0.0", dependsOn: ["@s/a@1.0.0"] },
  ]);
  const missing = { ...small, npm: { "@s/a@1.0.0_b@2.0.0": { integrity, dependencies: ["d"] } } };
  assert.throws(() => sbomOf(missing, "1.0.0", AT), /the lock file has no d$/);
});
