import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";

/** The parts of `production.lock` that name packages. */
export interface Lock {
  /** `npm:zod@4.6.7` with the installed version, which ends with its peers. */
  specifiers: Record<string, string>;
  npm: Record<string, { integrity: string; dependencies?: string[] }>;
}

/** Splits `@a/b@1.2.3_peer@4.0.0` into name and version. */
function partsOf(key: string): { name: string; version: string } {
  const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
  return { name, version };
}

const idOf = (key: string) => Object.values(partsOf(key)).join("@");

/** Returns the key of a dependency, whose version a lock leaves out if it contains only one. */
function keyOf(dependency: string, keys: readonly string[]): string {
  const key = keys.find((key) => key === dependency) ??
    keys.find((key) => partsOf(key).name === dependency || idOf(key) === dependency);
  if (key === undefined) throw new Error(`the lock file has no ${dependency}`);
  return key;
}

/**
 * Returns what production installs, as CycloneDX 1.6 in JSON: each package once, with its checksum and what it depends
 * on. The same arguments give the same bytes.
 *
 * @param at time of the commit
 */
export function sbomOf(lock: Lock, version: string, at: Date): string {
  const keys = Object.keys(lock.npm);
  const components = new Map<string, Models.Component>();
  for (const [key, { integrity }] of Object.entries(lock.npm)) {
    const { name, version } = partsOf(key);
    const [algorithm, sum] = integrity.split(/-(.*)/s) as [string, string];
    if (algorithm !== "sha512") throw new Error(`${key} has a checksum of the kind ${algorithm}`);
    components.set(
      idOf(key),
      new Models.Component(Enums.ComponentType.Library, name, {
        bomRef: idOf(key),
        version,
        purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
        hashes: new Models.HashDictionary([[
          Enums.HashAlgorithm["SHA-512"],
          Uint8Array.fromBase64(sum).toHex(),
        ]]),
      }),
    );
  }
  for (const [key, { dependencies = [] }] of Object.entries(lock.npm)) {
    for (const dependency of dependencies) {
      components.get(idOf(key))!.dependencies.add(components.get(idOf(keyOf(dependency, keys)))!.bomRef);
    }
  }
  const program = new Models.Component(Enums.ComponentType.Application, "cfbe", {
    bomRef: `cfbe@${version}`,
    version,
  });
  for (const [specifier, installed] of Object.entries(lock.specifiers)) {
    const { name } = partsOf(specifier.replace(/^npm:/, ""));
    program.dependencies.add(components.get(idOf(`${name}@${installed}`))!.bomRef);
  }
  const bom = new Models.Bom({
    components: new Models.ComponentRepository(components.values()),
    metadata: new Models.Metadata({ component: program, timestamp: at }),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 }) + "\n";
}
