/** Ghost's signup form as its admin embeds it, and the two routes of a Ghost server that the form calls. */
import { run } from "../process.ts";
import { compressed, type Peer, servePeer } from "./peer.ts";

const PACKAGE = "@tryghost/signup-form@0.3.592";

/**
 * Installs one of Ghost's packages in a temporary folder, and returns a file of it. They are no dependencies of this
 * workspace, because they depend on another version of React or on Ghost's log for servers.
 *
 * @param name the package with its version
 */
export async function fileOfPackage(name: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-ghost-" });
  try {
    await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, name]);
    return await Deno.readFile(`${folder}/node_modules/${name.slice(0, name.lastIndexOf("@"))}/${file}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export async function startGhost(): Promise<Peer> {
  const script = await fileOfPackage(PACKAGE, "umd/signup-form.min.js");
  return servePeer(
    { name: PACKAGE, signupPath: "/members/api/send-magic-link/", submitKeys: ["Enter"] },
    (origin) =>
      `<div style="min-height: 58px;max-width: 440px;margin: 0 auto;width: 100%"><script
        src="${origin}/signup-form.min.js" data-button-color="#08090c" data-button-text-color="#FFFFFF"
        data-site="${origin}/" data-locale="en" async></script></div>`,
    {
      "/signup-form.min.js": compressed(script, "text/javascript"),
      "/members/api/integrity-token/": () => new Response("token"),
      "/members/api/send-magic-link/": () => new Response("Created.", { status: 201 }),
    },
  );
}
