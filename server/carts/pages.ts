import type { Context } from "hono";
import { html } from "hono/html";
import { visitorPage } from "../pages/visitor_page.ts";
import { matchLocale } from "../../shared/texts/locales.ts";

/** The few words that a shopper reads from us outside the shop. */
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
    stopTitle: "No more cart reminders?",
    stop:
      "You will get no more mail about carts that you left. Your orders and subscriptions stay as they are.",
    stopButton: "No more of these",
    stoppedTitle: "Done",
    stopped: "You will get no more mail about carts that you left.",
    goneTitle: "Not here any more",
    gone: "This cart has been ordered or is too old to be brought back.",
    wrongLink: "This link is not complete. Please open it from the mail again.",
  },
  de: {
    stopTitle: "Keine Erinnerungen an Warenkörbe mehr?",
    stop:
      "Sie erhalten dann keine Post mehr über verlassene Warenkörbe. Bestellungen und Abonnements bleiben, wie sie sind.",
    stopButton: "Keine mehr davon",
    stoppedTitle: "Erledigt",
    stopped: "Sie erhalten keine Post mehr über verlassene Warenkörbe.",
    goneTitle: "Nicht mehr da",
    gone: "Dieser Warenkorb wurde bestellt oder ist zu alt, um ihn wiederherzustellen.",
    wrongLink: "Dieser Link ist nicht vollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.",
  },
};

/** @param wanted locales, best first */
export function pageTexts(wanted: readonly string[]): PageTexts {
  const locale = matchLocale(wanted, Object.keys(TEXTS));
  return { locale, ...TEXTS[locale]! };
}

/** A page of one sentence and, maybe, one button that posts to the page's own address. */
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
