import type { ReadyTexts } from "../ready_texts.ts";

export const fi: ReadyTexts = {
  newsletter: {
    heading: "Uutiskirjeemme",
  },
  "article-end": {
    heading: "Piditkö tästä artikkelista?",
    text: "Saat seuraavat sähköpostitse. Voit peruuttaa tilauksen milloin tahansa.",
    button: "Lähettäkää artikkeleita",
  },
  "coupon-popup": {
    heading: "Tervetuloalennus sinulle",
    text: "Tilaa uutiskirje, niin saat alennuskoodin seuraavaan tilaukseesi.",
    button: "Haluan koodin",
  },
  waitlist: {
    heading: "Liity odotuslistalle",
    text: "Saat tietää ensimmäisten joukossa, milloin aloitamme.",
    button: "Liity",
  },
  event: {
    heading: "Tule tapahtumaamme",
    text: "Ilmoittaudu, niin lähetämme kaikki tiedot sähköpostitse.",
    button: "Ilmoittaudu",
  },
  "lead-magnet": {
    heading: "Maksuton oppaamme",
    text: "Anna sähköpostiosoitteesi, niin lähetämme oppaan.",
    button: "Lähettäkää opas",
  },
  "back-in-stock": {
    heading: "Juuri nyt loppu",
    text: "Lähetämme sinulle viestin, kun tuotetta on taas saatavilla.",
    button: "Ilmoittakaa minulle",
  },
  "exit-popup": {
    heading: "Ennen kuin lähdet",
    text: "Saat parhaat tarjouksemme sähköpostitse. Voit peruuttaa tilauksen milloin tahansa.",
  },
  "deadline-bar": {
    heading: "Vain lyhyen aikaa",
    text: "Tilaa nyt, niin et jää paitsi tarjouksestamme.",
  },
  "two-step-popup": {
    heading: "Haluatko kuulla meistä?",
    texts: { next: "Kyllä kiitos" },
  },
};
