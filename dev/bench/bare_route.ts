/**
 * A bare Hono route behind the server's listener, so that only the route differs from the measured one.
 *
 * Argument: the checkout's folder.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveCommands } from "./commands.ts";
import { GET_TOKEN } from "./signups.ts";

const [folder = ""] = Deno.args;
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
const { Hono } = await load("node_modules/hono/dist/index.js") as typeof import("hono");
const { listenNode } = await load(
  "server/platform/http/listen/node_listener.ts",
) as typeof import("../../server/platform/http/listen/node_listener.ts");

/** As long as a real one. */
const token = `${Date.now()}.${"x".repeat(43)}`;
const app = new Hono();
app.get(GET_TOKEN.path, (c) => c.json({ token }));

const { port } = await listenNode({
  port: 0,
  hostname: "127.0.0.1",
  handle: (request) => app.fetch(request),
  log: { info() {}, warn() {}, error() {} },
  isShared: () => true,
});
await serveCommands({ url: `http://127.0.0.1:${port}` }, {});
