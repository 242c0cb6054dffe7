/** A page with our form, as the admin's snippet embeds it, and the server. */
import { snippetsFor } from "../../server/admin/snippets.ts";
import { startProgram } from "../../server/testing/program.ts";
import { pageWith } from "./page.ts";

export interface Cfbe extends AsyncDisposable {
  origin: string;
}

export async function startCfbe(): Promise<Cfbe> {
  const program = await startProgram({ file: { settings: { forms: { forms: [{ name: "footer" }] } } } });
  const settings = program.services.settings.current();
  const { html } = snippetsFor(program.baseUrl, settings.forms.forms[0]!, settings, ["en"]);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => pageWith(html));
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}
