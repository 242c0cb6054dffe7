import type { ReadyTexts } from "../ready_texts.ts";

export const hu: ReadyTexts = {
  newsletter: {
    heading: "Hírlevelünk",
  },
  "article-end": {
    heading: "Tetszett ez a cikk?",
    text: "A következőket e-mailben küldjük. Bármikor leiratkozhat.",
    button: "Kérem a cikkeket",
  },
  "coupon-popup": {
    heading: "Üdvözlő kedvezmény Önnek",
    text: "Iratkozzon fel, és kedvezménykódot küldünk a következő rendeléséhez.",
    button: "Kérem a kódot",
  },
  waitlist: {
    heading: "Iratkozzon fel a várólistára",
    text: "Az elsők között tudja meg, mikor indulunk.",
    button: "Feliratkozom",
  },
  event: {
    heading: "Jöjjön el a rendezvényünkre",
    text: "Jelentkezzen, és e-mailben elküldjük a részleteket.",
    button: "Jelentkezem",
  },
  "lead-magnet": {
    heading: "Ingyenes útmutatónk",
    text: "Adja meg az e-mail-címét, és elküldjük az útmutatót.",
    button: "Kérem az útmutatót",
  },
  "back-in-stock": {
    heading: "Jelenleg nincs készleten",
    text: "E-mailt küldünk, amint a termék újra kapható.",
    button: "Értesítést kérek",
  },
  "exit-popup": {
    heading: "Mielőtt elmegy",
    text: "Legjobb ajánlatainkat e-mailben küldjük. Bármikor leiratkozhat.",
  },
  "deadline-bar": {
    heading: "Csak rövid ideig",
    text: "Iratkozzon fel most, és ne maradjon le az ajánlatunkról.",
  },
  "two-step-popup": {
    heading: "Szeretne hírt kapni rólunk?",
    texts: { next: "Igen, kérem" },
  },
};
