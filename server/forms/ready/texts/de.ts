import type { ReadyTexts } from "../ready_texts.ts";

export const de: ReadyTexts = {
  newsletter: {
    heading: "Unser Newsletter",
  },
  "article-end": {
    heading: "Hat Ihnen dieser Artikel gefallen?",
    text: "Erhalten Sie die nächsten per E-Mail. Abmeldung jederzeit möglich.",
    button: "Neue Artikel erhalten",
  },
  "coupon-popup": {
    heading: "Ein Rabatt zur Begrüßung",
    text: "Melden Sie sich an, und Sie erhalten einen Rabattcode für Ihre nächste Bestellung.",
    button: "Code erhalten",
  },
  waitlist: {
    heading: "Auf die Warteliste",
    text: "Erfahren Sie als Erste, wann es losgeht.",
    button: "Eintragen",
  },
  event: {
    heading: "Kommen Sie zu unserer Veranstaltung",
    text: "Melden Sie sich an, und wir senden Ihnen alle Einzelheiten per E-Mail.",
    button: "Anmelden",
  },
  "lead-magnet": {
    heading: "Unser kostenloser Ratgeber",
    text: "Geben Sie Ihre E-Mail-Adresse ein, und wir senden Ihnen den Ratgeber.",
    button: "Ratgeber erhalten",
  },
  "back-in-stock": {
    heading: "Zurzeit ausverkauft",
    text: "Wir schreiben Ihnen eine E-Mail, sobald dieses Produkt wieder verfügbar ist.",
    button: "Benachrichtigen",
  },
  "exit-popup": {
    heading: "Bevor Sie gehen",
    text: "Unsere besten Angebote per E-Mail. Abmeldung jederzeit möglich.",
  },
  "deadline-bar": {
    heading: "Nur für kurze Zeit",
    text: "Melden Sie sich jetzt an, und verpassen Sie unser Angebot nicht.",
  },
  "two-step-popup": {
    heading: "Möchten Sie von uns hören?",
    texts: { next: "Ja, gern" },
  },
};
