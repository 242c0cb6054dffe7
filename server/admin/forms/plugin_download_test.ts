import assert from "node:assert/strict";
import { Hono } from "hono";
import { pluginDownload } from "./plugin_download.ts";

/** Requests the download of a file. */
const requested = (file: string) => new Hono().get("/cfbe.zip", pluginDownload(file)).request("/cfbe.zip");

Deno.test("the admin's download is the packed plugin, with the name that WordPress expects", async () => {
  const file = await Deno.makeTempFile();
  const zip = new Uint8Array([80, 75, 3, 4]);
  await Deno.writeFile(file, zip);
  const response = await requested(file);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-disposition"), 'attachment; filename="cfbe.zip"');
  assert.deepEqual(await response.bytes(), zip);
  await Deno.remove(file);
});

Deno.test("without a packed plugin, the download says how to pack it", async () => {
  const response = await requested("/nowhere/cfbe.zip");
  assert.equal(response.status, 404);
  assert.match(await response.text(), /deno task wordpress/);
});

Deno.test("installations for production and containers keep the packed plugin", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));
  const { tasks } = JSON.parse(await read("deno.json"));
  for (const task of ["production", "production:deploy"]) {
    assert.match(tasks[task].command, /deno task wordpress && /, task);
  }
  assert.match(await read("Dockerfile"), /mv cfbe\.zip bridge\/wordpress\/dist\//);
});
