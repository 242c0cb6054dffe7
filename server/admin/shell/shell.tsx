import type { ComponentChildren, VNode } from "preact";
import { assetStamp } from "../frame/asset_stamp.ts";
import type { Flash } from "../auth/cookies.ts";
import { CHANGING } from "../auth/capability.ts";
import { GROUPS, ONLY_MARKETERS, type Page } from "../frame/page.ts";
import { htmlDocument } from "../../platform/pages/html_document.tsx";
import { siteZone } from "../../settings/schema/time_zone.ts";
import type { View } from "../frame/view.ts";
import { ErrorSummary, fieldErrorsOf } from "../parts/error_summary.tsx";
import { PostForm } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { Notice } from "../parts/notice.tsx";
import { SiteTime, ZoneNote } from "../parts/site_time.tsx";
import { ShortcutsButton, ShortcutsDialog } from "./shortcuts.tsx";

/** Renders a whole HTML document of the admin. */
export function documentOf(
  { title, href, children }: { title: string; href: (path: string) => string; children: ComponentChildren },
): string {
  return htmlDocument({
    locale: "en",
    title: `${title} · cfbe`,
    head: (
      <>
        <link rel="icon" type="image/svg+xml" href={href("/assets/icon.svg")} />
        <link rel="stylesheet" href={href("/assets/admin.css")} />
        <script type="module" src={href("/assets/admin.js")} />
      </>
    ),
    body: children,
  });
}

const FLASH_TONES = { done: "good", warn: "warn", wrong: "bad" } as const;

/** Renders a page of the admin with its navigation and messages. */
export function shell(view: View, page: Page, pages: readonly Page[], body: VNode): string {
  const failure = view.posted?.failure;
  const limits = page.limits ? page.limits(view) : limitsOfSettings(view, page);
  const zone = siteZone(view.app.settings.current());
  const visible = pages.filter(({ capability }) => view.may(capability));
  return documentOf({
    title: page.documentTitle?.(view) ?? page.title,
    href: view.href,
    children: (
      <>
        <a class="skip" href="#main">Skip to content</a>
        <header class="topbar">
          <button type="button" class="quiet" popovertarget="nav">
            <Icon name="menu" /> Menu
          </button>
          <Brand href={view.href} />
        </header>
        {/* Outside the main part, which scripts replace: a new region is often not announced. */}
        <div class="hidden" role="status" data-announcer />
        <div class="frame" data-assets={assetStamp()}>
          <Navigation view={view} page={page} pages={visible} />
          <main id="main" tabIndex={-1}>
            <div class="heading">
              <h1>
                <Breakable text={page.heading?.(view) ?? page.title} />
              </h1>
              {page.lead && <p class="lead">{page.lead}</p>}
              {limits && <p class="lead">{limits}</p>}
            </div>
            <div class="says" role="status" data-status>
              {view.flash && <Says view={view} flash={view.flash} />}
            </div>
            {failure && <Failure failure={failure} body={body} />}
            <SiteTime.Provider value={{ zone, now: view.now, shown: false }}>
              {body}
              <ZoneNote />
            </SiteTime.Provider>
          </main>
        </div>
        <ShortcutsDialog view={view} pages={visible} />
      </>
    ),
  });
}

function limitsOfSettings(view: View, { group, parent }: Page): string | undefined {
  if (parent === "/forms" || group === "Forms") return view.may("forms") ? undefined : ONLY_MARKETERS;
  const hasSettings = group === "Shop" || group === "Settings";
  return hasSettings && !view.may("settings")
    ? "You can read this page. Only admins can change anything on it."
    : undefined;
}

/** What an action says, and where to go on from there. */
const Says = ({ view, flash: { kind, text, link } }: { view: View; flash: Flash }): VNode => (
  <Notice kind={FLASH_TONES[kind]}>
    {text}
    {link && (
      <>
        {" "}
        <a href={view.href(link.to)}>{link.text}</a>
      </>
    )}
  </Notice>
);

function Failure(
  { failure, body }: { failure: NonNullable<NonNullable<View["posted"]>["failure"]>; body: VNode },
): VNode {
  const { message, fields = {} } = failure;
  const errors = fieldErrorsOf(body);
  const shown = new Set(errors.map(({ message }) => message));
  const elsewhere = new Set(Object.values(fields).filter((text) => !shown.has(text)));
  return <ErrorSummary message={message} errors={errors} elsewhere={[...elsewhere]} />;
}

/** The mark and the name. */
export function Brand({ href }: { href: (path: string) => string }): VNode {
  return (
    <p class="brand">
      <img src={href("/assets/icon.svg")} alt="" width="28" height="28" /> cfbe
    </p>
  );
}

function Count({ count }: { count: ReturnType<NonNullable<Page["count"]>> | undefined }): VNode | null {
  if (!count || count.number === 0) return null;
  return (
    <span class="count">
      {count.number} <span class="hidden">{count.noun}</span>
    </span>
  );
}

function Navigation({ view, page, pages }: { view: View; page: Page; pages: readonly Page[] }) {
  return (
    <nav id="nav" class="nav" popover="auto" aria-label="Admin">
      <Brand href={view.href} />
      {GROUPS.map((group, index) => {
        const members = pages.filter((each) => each.group === group);
        return members.length > 0 && (
          <section key={group}>
            <h2 id={`nav-group-${index}`}>{group}</h2>
            <ul aria-labelledby={`nav-group-${index}`}>
              {members.map(({ path, title, icon, shortcut, count }) => (
                <li key={path}>
                  <a
                    href={view.href(path)}
                    aria-current={path === page.path ? "page" : path === page.parent ? "true" : undefined}
                    data-shortcut={shortcut}
                  >
                    {icon && <Icon name={icon} />} {title} <Count count={count?.(view)} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <div class="who">
        <a href={view.href("/account")} aria-current={page.path === "/account" ? "page" : undefined}>
          <span class="avatar" aria-hidden="true">{view.actor.name[0]?.toUpperCase()}</span>
          <span>
            {view.actor.name} <small>{view.actor.role}{!CHANGING.some(view.may) && ", read-only"}</small>
          </span>
        </a>
        <ShortcutsButton />
        <PostForm view={view} action="cfbe_log_out" class="inline">
          <button type="submit" class="quiet" title="Sign out">
            <Icon name="out" />
            <span class="hidden">Sign out</span>
          </button>
        </PostForm>
      </div>
    </nav>
  );
}

/** Lets an email address break before its "@", where it would otherwise break between any two letters. */
function Breakable({ text }: { text: string }): VNode {
  const [first, ...rest] = text.split("@");
  return (
    <>
      {first}
      {rest.map((part) => (
        <>
          <wbr />@{part}
        </>
      ))}
    </>
  );
}
