/** Ghost's signup form as its admin embeds it, and the two routes of a Ghost server that the form calls. */
import { run } from "../process.ts";
import { compressed, type Peer, servePeer } from "./peer.ts";

/** Not a dependency, because it depends on another version of React and on Ghost's log for servers. */
const PACKAGE = "@tryghost/signup-form@0.3.592";

export async function startGhost(): Promise<Peer> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-ghost-" });
  try {
    await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, PACKAGE]);
    const source = await Deno.readFile(`${folder}/node_modules/@tryghost/signup-form/umd/signup-form.min.js`);
    return servePeer(
      { name: PACKAGE, signupPath: "/members/api/send-magic-link/", submitKeys: ["Enter"] },
      (origin) =>
        `<div style="min-height: 58px;max-width: 440px;margin: 0 auto;width: 100%"><script
          src="${origin}/signup-form.min.js" data-button-color="#08090c" data-button-text-color="#FFFFFF"
          data-site="${origin}/" data-locale="en" async></script></div>`,
      {
        "/signup-form.min.js": compressed(source, "text/javascript"),
        "/members/api/integrity-token/": () => new Response("token"),
        "/members/api/send-magic-link/": () => new Response("Created.", { status: 201 }),
      },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
