/**
 * The React form for Mailchimp in its simplest use, built with React for production, and Mailchimp's route for JSONP that
 * the form calls.
 */
import { fileURLToPath } from "node:url";
import { build } from "vite";
import dependencies from "../deno.json" with { type: "json" };
import { compressed, type Peer, servePeer } from "./peer.ts";

const ENTRY = "entry.js";
const APP = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import MailchimpSubscribe from "react-mailchimp-subscribe";
const form = createElement(MailchimpSubscribe, { url: "/subscribe/post?u=1&id=2" });
createRoot(document.querySelector("#newsletter")).render(form);`;

/** Returns the app with React, minified, as one classic script. */
async function buildApp(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    root: fileURLToPath(new URL("../", import.meta.url)),
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [{
      name: "entry",
      resolveId: (id) => id === ENTRY ? ENTRY : null,
      load: (id) => id === ENTRY ? APP : null,
    }],
    build: { write: false, rollupOptions: { input: ENTRY, output: { format: "iife" } } },
  });
  const output = Array.isArray(built) ? built[0]!.output : "output" in built ? built.output : [];
  for (const file of output) if (file.type === "chunk") return file.code;
  throw new Error("Vite built no script");
}

export async function startMailchimp(): Promise<Peer> {
  const script = await buildApp();
  return servePeer(
    {
      name: dependencies.imports["react-mailchimp-subscribe"].replace("npm:", ""),
      signupPath: "/subscribe/post-json",
      submitKeys: ["Tab", "Enter"], // Its button is not in a form.
    },
    () => `<div id="newsletter"></div><script src="/app.js" async></script>`,
    {
      "/app.js": compressed(script, "text/javascript"),
      "/subscribe/post-json": ({ searchParams }) =>
        new Response(`${searchParams.get("c")}({ result: "success", msg: "Confirm your subscription." })`, {
          headers: { "content-type": "text/javascript" },
        }),
    },
  );
}
