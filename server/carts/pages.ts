import type { Context } from "hono";
import { html } from "hono/html";
import { visitorPage } from "../pages/visitor_page.ts";
import { matchLocale } from "../../shared/texts/locales.ts";

/** The texts of the pages that links in a cart reminder open. */
export interface PageTexts {
  locale: string;
  stopTitle: string;
  stop: string;
  stopButton: string;
  stoppedTitle: string;
  stopped: string;
  goneTitle: string;
  gone: string;
  wrongLink: string;
}

const TEXTS: Readonly<Record<string, Omit<PageTexts, "locale">>> = {
  en: {
    stopTitle: "Stop cart reminders?",
    stop:
      "You will no longer get emails about carts you leave behind. Your orders and subscriptions do not change.",
    stopButton: "Stop reminders",
    stoppedTitle: "Reminders stopped",
    stopped: "You will no longer get emails about carts you leave behind.",
    goneTitle: "Not available",
    gone: "This cart has already been ordered or is too old to restore.",
    wrongLink: "This link is incomplete. Please open it again from the email.",
  },
  de: {
    stopTitle: "Erinnerungen an Warenkörbe abbestellen?",
    stop:
      "Sie erhalten dann keine E-Mails mehr über nicht abgeschlossene Einkäufe. Bestellungen und Abonnements bleiben unverändert.",
    stopButton: "Erinnerungen abbestellen",
    stoppedTitle: "Erinnerungen abbestellt",
    stopped: "Sie erhalten keine E-Mails mehr über nicht abgeschlossene Einkäufe.",
    goneTitle: "Nicht verfügbar",
    gone: "Dieser Warenkorb wurde bereits bestellt oder ist zu alt, um ihn wiederherzustellen.",
    wrongLink: "Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.",
  },
};

/** Returns the texts in the best available language. @param wanted locales, best first */
export function pageTexts(wanted: readonly string[]): PageTexts {
  const locale = matchLocale(wanted, Object.keys(TEXTS));
  return { locale, ...TEXTS[locale]! };
}

/** Returns a page with one sentence and optionally one button that posts to the page's own URL. */
export function page(
  c: Context,
  status: 200 | 404,
  { baseUrl, locale }: { baseUrl: string; locale: string },
  { title, text, button }: { title: string; text: string; button?: string },
): Response | Promise<Response> {
  const form = button === undefined ? "" : html`<form method="post"><button>${button}</button></form>`;
  const body = html`<h1>${title}</h1><p class="text">${text}</p>${form}`;
  return c.html(visitorPage({ baseUrl, locale, title, body }), status);
}
