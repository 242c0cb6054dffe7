import type { ReadyTexts } from "../ready_texts.ts";

export const it: ReadyTexts = {
  newsletter: {
    heading: "La nostra newsletter",
  },
  "article-end": {
    heading: "Ti è piaciuto questo articolo?",
    text: "Ricevi i prossimi via e-mail. Puoi annullare l’iscrizione quando vuoi.",
    button: "Ricevi gli articoli",
  },
  "coupon-popup": {
    heading: "Uno sconto di benvenuto",
    text: "Iscriviti e ricevi un codice sconto per il tuo prossimo ordine.",
    button: "Ricevi il codice",
  },
  waitlist: {
    heading: "Entra nella lista d’attesa",
    text: "Scopri tra i primi quando iniziamo.",
    button: "Iscriviti",
  },
  event: {
    heading: "Partecipa al nostro evento",
    text: "Iscriviti e ti invieremo tutti i dettagli via e-mail.",
    button: "Iscriviti",
  },
  "lead-magnet": {
    heading: "La nostra guida gratuita",
    text: "Inserisci il tuo indirizzo e-mail e ti invieremo la guida.",
    button: "Ricevi la guida",
  },
  "back-in-stock": {
    heading: "Al momento esaurito",
    text: "Ti scriveremo quando questo prodotto sarà di nuovo disponibile.",
    button: "Avvisami",
  },
  "exit-popup": {
    heading: "Prima di andare",
    text: "Ricevi le nostre migliori offerte via e-mail. Puoi annullare l’iscrizione quando vuoi.",
  },
  "deadline-bar": {
    heading: "Solo per poco tempo",
    text: "Iscriviti ora e non perdere la nostra offerta.",
  },
  "two-step-popup": {
    heading: "Vuoi ricevere nostre notizie?",
    texts: { next: "Sì, volentieri" },
  },
};
