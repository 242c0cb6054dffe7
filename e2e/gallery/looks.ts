/** The example forms in `looks/`, as exported from the admin, each on a page of its own. */
import type { Page } from "playwright-core";
import { type FormDocument, readFormDocument } from "../../server/settings/forms/form_document.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";
import { startProgram } from "../../dev/testing/program.ts";
import type { Cfbe } from "../../widget/src/types.ts";

const FOLDER = new URL("looks/", import.meta.url);

type Look = FormDocument["form"];

/** Returns the example forms, sorted by name. @throws {Error} if a file is no valid export */
function readLooks(): Look[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name).toSorted().map((name) => {
    const read = readFormDocument(Deno.readTextFileSync(new URL(name, FOLDER)));
    if (!read.success) throw new Error(`${name}: ${read.error.message}`);
    return read.data.form;
  });
}

const STYLE = `
  :root { color-scheme: light dark; font: 17px/1.6 Georgia, serif; }
  body { margin: 0; background: light-dark(#fff, #1b1b1d); color: light-dark(#26262a, #e4e4e8); }
  main { max-width: 68rem; min-height: 45rem; margin: 0 auto; padding: 1.5rem; }
  h1, main > p { max-width: 36rem; }
  h1 { line-height: 1.2; }
  cfbe-form { margin: 2rem 0; }`;

const markup = (baseUrl: string, { name, opens }: Look) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${STYLE}</style>
    <script async src="${baseUrl}/cfbe.js" data-storage="none"></script></head><body><main>
    <h1>A page of ${name}</h1>
    <p>A paragraph before the form, in the font and the colors of the page.</p>
    ${opens ? "" : `<cfbe-form form="${name}"></cfbe-form>`}
    <p>A paragraph after the form.</p></main></body></html>`;

export interface LooksSite extends AsyncDisposable {
  looks: Look[];
  /** Opens the page of a form, and shows the form. */
  show(page: Page, look: Look): Promise<void>;
}

/** Starts a program with all example forms, and a site that embeds them. */
export async function startLooks(): Promise<LooksSite> {
  const looks = readLooks();
  // Forms open when the test asks for them, and never by themselves.
  const never = { delaySeconds: 3600, scrollPercent: 0, exitIntent: false };
  const forms = looks.map(({ opens, ...form }) => ({
    ...form,
    ...opens && { opens: { ...opens, triggers: never } },
  }));
  const program = await startProgram({ file: { settings: { forms: { forms } } as PartialSettings } });
  const site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const look = looks.find(({ name }) => new URL(url).pathname === `/${name}`);
    if (!look) return new Response(null, { status: 404 });
    return new Response(markup(program.baseUrl, look), { headers: { "content-type": "text/html" } });
  });
  return {
    looks,
    async show(page, { name, opens }) {
      await page.goto(`http://127.0.0.1:${site.addr.port}/${name}`);
      if (opens) {
        await page.waitForFunction("globalThis.cfbe?.open");
        await page.evaluate(
          (name) => (globalThis as unknown as { cfbe: Cfbe }).cfbe.open(name),
          name,
        );
      }
      await page.getByRole("textbox", { name: "Email address" }).waitFor();
    },
    async [Symbol.asyncDispose]() {
      await site.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}
