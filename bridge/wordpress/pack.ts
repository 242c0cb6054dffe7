/** `deno task wordpress`: packs the plugin into `bridge/wordpress/dist/cfbe.zip`, which the admin offers for download. */
import { fileURLToPath } from "node:url";
import { type Zippable, zipSync } from "fflate";
import { translate } from "./translations.ts";

const PLUGIN = fileURLToPath(new URL("plugin/", import.meta.url));
const ZIP = fileURLToPath(new URL("dist/cfbe.zip", import.meta.url));

/** Fixed file time, so that the same sources always produce the same bytes. */
const EPOCH = new Date(1980, 0, 1);

/** Returns every file of the plugin by its path in the zip, with compiled translations. */
export async function pluginFiles(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const walk = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(PLUGIN + folder)) {
      if (isDirectory) await walk(`${folder}${name}/`);
      else files.set(`cfbe/${folder}${name}`, await Deno.readFile(`${PLUGIN}${folder}${name}`));
    }
  };
  await walk("");
  for (const [path, bytes] of [...files].filter(([path]) => path.endsWith(".po"))) {
    const { mo, json } = translate(new TextDecoder().decode(bytes));
    const base = path.slice(0, -".po".length);
    files.set(`${base}.mo`, mo);
    files.set(`${base}-cfbe-form-editor.json`, new TextEncoder().encode(json));
  }
  return new Map([...files].sort(([a], [b]) => a < b ? -1 : 1));
}

/** Returns the zip. All files are in its folder `cfbe`. */
export async function packPlugin(): Promise<Uint8Array> {
  const contents: Zippable = {};
  for (const [path, bytes] of await pluginFiles()) contents[path] = [bytes, { mtime: EPOCH }];
  return zipSync(contents, { level: 9 });
}

if (import.meta.main) {
  const zip = await packPlugin();
  await Deno.mkdir(new URL("dist/", import.meta.url), { recursive: true });
  await Deno.writeFile(ZIP, zip);
  if (!Deno.args.includes("--quiet")) console.log(`${ZIP}, ${(zip.length / 1024).toFixed(1)} KB`);
}
