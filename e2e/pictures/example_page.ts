/** A page of an invented shop on another origin, with the script, a form and a button for the popup. */

export interface ExamplePage extends AsyncDisposable {
  url: string;
}

const STYLE = `
  :root { color-scheme: light dark; font: 17px/1.6 Georgia, serif; }
  body { margin: 0; background: light-dark(#fbf8f3, #1b1815); color: light-dark(#2b2520, #efe8df); }
  header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: 1rem 2rem;
    border-bottom: 1px solid light-dark(#e6dccd, #3a332c); }
  header strong { font-size: 1.25rem; margin-inline-end: auto; }
  button { font: inherit; padding: .3rem 1rem; border: 1px solid currentColor; border-radius: 99px; background: none;
    color: inherit; }
  main { max-width: 40rem; margin: 2rem auto; padding: 0 1.5rem; }
  h1 { line-height: 1.2; margin: 0 0 .75rem; }
  cfbe-form, cfbe-popup { --cfbe-accent: light-dark(#7c3f12, #e0a46f); --cfbe-on-accent: light-dark(#fff, #1b1815); }
  cfbe-form { display: block; margin-top: 2rem; --cfbe-max-width: none; }
  @media (width < 600px) { header span { display: none; } }`;

const markup = (baseUrl: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Halfmoon Coffee</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${STYLE}</style>
    <script async src="${baseUrl}/cfbe.js"></script></head><body>
    <header><strong>Halfmoon Coffee</strong><span>Beans</span><span>Journal</span>
    <button data-cfbe-open>15% off</button></header>
    <main><h1>Why we roast on Sundays</h1>
    <p>The street is quiet, the drum is warm, and nobody calls. A light roast needs eleven minutes and all of your
    attention: thirty seconds too long, and the apricot is gone.</p>
    <p>We taste every batch the next morning. What we would not drink ourselves becomes compost for the roses behind
    the shop.</p>
    <cfbe-form form="footer"></cfbe-form></main></body></html>`;

/** Starts the page. @param baseUrlOf returns the URL of the program */
export function startExamplePage(baseUrlOf: () => Promise<string>): ExamplePage {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async () => new Response(markup(await baseUrlOf()), { headers: { "content-type": "text/html" } }),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
