/** A shop as a single-page app, with one view for each kind of form, and the program that the forms belong to. */
import { startProgram } from "../../dev/testing/program.ts";

const VIEWS: Record<string, string> = {
  empty: "<h1>Cart</h1>",
  inline: '<h1>Club</h1><cfbe-form form="footer"></cfbe-form>',
  own: `<h1>Club</h1><form data-cfbe-form="footer" action="/form" method="post">
    <label>Email <input name="email" type="email" required></label><button>Subscribe</button>
    <output data-cfbe-message></output></form>`,
  block: '<h1>Club</h1><cfbe-form form="section"></cfbe-form>',
  promo: '<h1>Club</h1><cfbe-form form="strip"></cfbe-form>',
  popup: "<h1>Chairs</h1>",
};

const SETTINGS = {
  forms: {
    forms: [
      { name: "footer" },
      { name: "section", layout: "block" as const },
      { name: "strip", layout: "promo" as const },
    ],
  },
  popup: { enabled: true, triggers: { exitIntent: true } },
};

/**
 * Defines `navigate(view)`, which resolves when the view's form is usable and fetches tokens. In the view with the popup,
 * it opens and closes the popup.
 */
const ROUTER = `
const VIEWS = ${JSON.stringify(VIEWS)};
const event = (name) => new Promise((done) => document.addEventListener("cfbe-" + name, done, { once: true }));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
globalThis.navigate = async (view) => {
  const ready = /cfbe-form/.test(VIEWS[view]) && event("ready");
  history.pushState(null, "", view);
  document.querySelector("main").innerHTML = VIEWS[view];
  await ready;
  if (view === "popup") {
    const [shown, closed] = [event("show"), event("close")];
    cfbe.open();
    await shown;
    await frame();
    cfbe.close();
    await closed;
  }
  // Observers of visibility report after a frame.
  await frame();
  await frame();
};`;

export const EMPTY_VIEW = "empty";
export const FORM_VIEWS = Object.keys(VIEWS).filter((view) => view !== EMPTY_VIEW);

export interface Site extends AsyncDisposable {
  origin: string;
}

export async function startSite(): Promise<Site> {
  const program = await startProgram({ file: { settings: SETTINGS } });
  const page = `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
    <main></main><script>${ROUTER}</script><script async src="${program.baseUrl}/cfbe.js"></script></html>`;
  const headers = { "content-type": "text/html; charset=utf-8" };
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(page, { headers }),
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}
