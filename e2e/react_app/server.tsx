/** Serves the built app: `node dist/server/server.js <port> <URL of the widget's script>`. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";
import { loadCfbe } from "cfbe";
import { renderToString } from "react-dom/server";
import { App } from "./app.tsx";

const [port, script = ""] = process.argv.slice(2);
// Apps may call this in code shared by server and browser. On a server it must never resolve.
loadCfbe(script).then(() => console.error("loadCfbe resolved on the server"));

const template = await readFile("dist/client/index.html", "utf8");

createServer(async ({ url = "/" }, response) => {
  if (url === "/") {
    const html = template
      .replace("<html", `<html data-script="${script}"`)
      .replace('id="root">', (root) => root + renderToString(<App script={script} />));
    return response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  }
  const asset = /^\/assets\/[\w.-]+\.js$/.test(url) && await readFile(`dist/client${url}`).catch(() => false);
  if (!asset) return response.writeHead(404).end();
  response.setHeader("content-type", "text/javascript").end(asset);
}).listen(Number(port), "127.0.0.1");
