import type { ReadyTexts } from "../ready_texts.ts";

export const nl: ReadyTexts = {
  newsletter: {
    heading: "Onze nieuwsbrief",
  },
  "article-end": {
    heading: "Vond u dit een goed artikel?",
    text: "Ontvang de volgende per e-mail. Uitschrijven kan altijd.",
    button: "Artikelen ontvangen",
  },
  "coupon-popup": {
    heading: "Een welkomstkorting voor u",
    text: "Schrijf u in en ontvang een kortingscode voor uw volgende bestelling.",
    button: "Code ontvangen",
  },
  waitlist: {
    heading: "Kom op de wachtlijst",
    text: "Hoor als een van de eersten wanneer wij beginnen.",
    button: "Aanmelden",
  },
  event: {
    heading: "Kom naar ons evenement",
    text: "Meld u aan en wij mailen u alle details.",
    button: "Aanmelden",
  },
  "lead-magnet": {
    heading: "Onze gratis gids",
    text: "Vul uw e-mailadres in en wij sturen u de gids.",
    button: "Gids ontvangen",
  },
  "back-in-stock": {
    heading: "Op dit moment uitverkocht",
    text: "Wij mailen u zodra dit product weer leverbaar is.",
    button: "Houd mij op de hoogte",
  },
  "exit-popup": {
    heading: "Voordat u gaat",
    text: "Ontvang onze beste aanbiedingen per e-mail. Uitschrijven kan altijd.",
  },
  "deadline-bar": {
    heading: "Slechts voor korte tijd",
    text: "Schrijf u nu in en mis onze aanbieding niet.",
  },
  "two-step-popup": {
    heading: "Wilt u van ons horen?",
    texts: { next: "Ja, graag" },
  },
};
