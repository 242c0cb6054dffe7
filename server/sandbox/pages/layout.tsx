import type { VNode } from "preact";
import { htmlDocument } from "../../platform/pages/html_document.tsx";
import { FAULT_MODES, type Faults, WEBHOOK_MODES } from "../account/faults.ts";

/** URLs that the pages link to. They are absolute because emails are read elsewhere. */
export interface SandboxUrls {
  /** Public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** `{base}/sandbox` */
  sandbox: string;
}

export type SandboxTab = "inbox" | "contacts" | "webhook" | "faults";

const TABS: readonly { tab: SandboxTab; path: string; label: string }[] = [
  { tab: "inbox", path: "", label: "Inbox" },
  { tab: "contacts", path: "/contacts", label: "Contacts" },
  { tab: "webhook", path: "/webhook", label: "Webhook" },
  { tab: "faults", path: "/faults", label: "Faults" },
];

/** Renders the layout around every page, with the notice that no real email is sent. */
export function layout(
  urls: SandboxUrls,
  page: { title: string; tab?: SandboxTab; faults?: Faults; body: VNode },
): string {
  const asset = (name: string) => `${urls.sandbox}/assets/${name}`;
  return htmlDocument({
    locale: "en",
    title: `${page.title} · Sandbox`,
    head: (
      <>
        <link rel="icon" href={asset("icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("sandbox.css")} />
        <link rel="stylesheet" href={asset("parts.css")} />
        <link rel="stylesheet" href={asset("inbox.css")} />
        <link rel="stylesheet" href={asset("pages.css")} />
        <script type="module" src={asset("sandbox.js")} />
      </>
    ),
    body: (
      <>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <p class="notice">
            <strong>Sandbox.</strong> No real email is sent. Every email stays in this inbox.
          </p>
          <div class="top">
            <a class="brand" href={urls.sandbox}>
              <img src={asset("icon.svg")} alt="" width="28" height="28" />Sandbox provider
            </a>
            <nav aria-label="Sandbox">
              {TABS.map(({ tab, path, label }) => (
                <a
                  key={tab}
                  href={urls.sandbox + path}
                  aria-current={tab === page.tab ? "page" : undefined}
                >
                  {label}
                </a>
              ))}
              <a class="away" href={`${urls.baseUrl}/demo`}>Demo page</a>
            </nav>
          </div>
        </header>
        <main id="main">
          {page.faults && activeFaults(urls, page.faults)}
          {page.body}
        </main>
      </>
    ),
  });
}

/**
 * Shows the simulated faults on every page, with a button to turn them off, because a forgotten fault costs
 * hours.
 */
function activeFaults(urls: SandboxUrls, faults: Faults): VNode | null {
  const on = [
    ...(faults.mode === "none" ? [] : [label(FAULT_MODES, faults.mode)]),
    ...(faults.webhooks === "deliver"
      ? []
      : [`webhooks: ${label(WEBHOOK_MODES, faults.webhooks).toLowerCase()}`]),
  ];
  if (on.length === 0) return null;
  return (
    <form class="bar" method="post" action={`${urls.sandbox}/faults`}>
      <input type="hidden" name="mode" value="none" />
      <input type="hidden" name="webhooks" value="deliver" />
      <p>
        <strong>Simulated failures:</strong> {on.join("; ")}.
      </p>
      <button type="submit">Turn off</button>
    </form>
  );
}

function label(modes: readonly { value: string; label: string }[], value: string): string {
  return modes.find((mode) => mode.value === value)?.label ?? value;
}

/** Renders a time: in UTC without JavaScript, in the reader's time zone with it. */
export function timestamp(at: number): VNode {
  const iso = new Date(at).toISOString();
  return <time dateTime={iso}>{iso.slice(0, 19).replace("T", " ")} UTC</time>;
}
