import { html } from "hono/html";
import { FAULT_MODES, type Faults, WEBHOOK_MODES } from "../faults.ts";

/** What `hono/html` makes: escaped, and maybe still to be awaited. */
export type Html = ReturnType<typeof html>;

/** Where the pages link to; absolute, for mails are read elsewhere. */
export interface Places {
  /** Public address of the service, without a slash at its end. */
  baseUrl: string;
  /** `{base}/sandbox` */
  sandbox: string;
}

export type Tab = "inbox" | "contacts" | "webhook" | "faults";

const TABS: readonly { tab: Tab; path: string; label: string }[] = [
  { tab: "inbox", path: "", label: "Inbox" },
  { tab: "contacts", path: "/contacts", label: "Contacts" },
  { tab: "webhook", path: "/webhook", label: "Webhook" },
  { tab: "faults", path: "/faults", label: "Faults" },
];

/** The frame around every page; it says on each that no real mail is sent. */
export function layout(
  places: Places,
  page: { title: string; tab?: Tab; faults?: Faults; body: Html; live?: Html },
): Html {
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <title>${page.title} · Sandbox</title>
        <link rel="icon" href="${places.sandbox}/assets/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="${places.sandbox}/assets/sandbox.css">
        <link rel="stylesheet" href="${places.sandbox}/assets/parts.css">
        <link rel="stylesheet" href="${places.sandbox}/assets/inbox.css">
        <link rel="stylesheet" href="${places.sandbox}/assets/pages.css">
        <script type="module" src="${places.sandbox}/assets/sandbox.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <p
            class="notice"><strong>Sandbox.</strong> No real mail is sent from here: every mail stays in this inbox.</p>
          <div class="top">
            <a class="brand"
              href="${places.sandbox}"><img src="${places
                .sandbox}/assets/icon.svg" alt="" width="28" height="28">Sandbox provider</a>
            <nav aria-label="Sandbox">
        ${TABS.map(({ tab, path, label }) =>
          html`
            <a href="${places.sandbox}${path}" ${tab === page.tab
              ? html`
                aria-current="page"
              `
              : ""}>${label}</a>
          `
        )}
        <a class="away" href="${places.baseUrl}/demo">Demo page</a>
      </nav>
          </div>
        </header>
        <main id="main">
    ${page.faults ? faultBar(places, page.faults) : ""}
    ${page.body}
        </main>
      </body>
    </html>
  `;
}

/** A fault forgotten is an hour lost: it shows on every page, with the switch beside it. */
function faultBar(places: Places, faults: Faults): Html | string {
  const on = [
    ...(faults.mode === "none" ? [] : [label(FAULT_MODES, faults.mode)]),
    ...(faults.webhooks === "deliver"
      ? []
      : [`webhooks: ${label(WEBHOOK_MODES, faults.webhooks).toLowerCase()}`]),
  ];
  if (on.length === 0) return "";
  return html`<form class="bar" method="post" action="${places.sandbox}/faults">
  <input type="hidden" name="mode" value="none"><input type="hidden" name="webhooks" value="deliver">
  <p><strong>Switched on:</strong> ${on.join("; ")}.</p>
  <button>Switch off</button>
</form>`;
}

function label(modes: readonly { value: string; label: string }[], value: string): string {
  return modes.find((mode) => mode.value === value)?.label ?? value;
}

/** A moment: UTC without script, the reader's own time with it. */
export function moment(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}
