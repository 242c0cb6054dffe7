/** A page with our form, as the admin's snippet embeds it, and the server. */
import { snippetsFor } from "../../server/admin/forms/snippets.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { type Peer, servePeer } from "./peer.ts";

export async function startCfbe(): Promise<Peer> {
  const program = await startProgram({ file: { settings: { forms: { forms: [{ name: "footer" }] } } } });
  const settings = program.services.settings.current();
  const { html } = snippetsFor(program.baseUrl, settings.forms.forms[0]!, settings, ["en"]);
  const page = servePeer(
    { name: "cfbe", signupPath: `${NAMESPACE}/subscribe`, submitKeys: ["Enter"] },
    () => html,
  );
  return {
    ...page,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await program[Symbol.asyncDispose]();
    },
  };
}
