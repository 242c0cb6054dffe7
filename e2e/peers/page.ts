/** Returns a page with a form, and text below it, which moves if the form needs more room than the page reserves. */
export function pageWith(form: string): Response {
  return new Response(
    `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
      <h1>A shop</h1>${form}<p>Text below the form.</p></html>`,
    { headers: { "content-type": "text/html; charset=utf-8" } },
  );
}
