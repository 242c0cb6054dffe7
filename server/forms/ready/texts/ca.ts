import type { ReadyTexts } from "../ready_texts.ts";

export const ca: ReadyTexts = {
  newsletter: {
    heading: "El nostre butlletí",
  },
  "article-end": {
    heading: "Us ha agradat aquest article?",
    text: "Rebeu els propers per correu electrònic. Us en podeu donar de baixa quan vulgueu.",
    button: "Vull rebre articles",
  },
  "coupon-popup": {
    heading: "Un descompte de benvinguda",
    text: "Subscriviu-vos i obtindreu un codi de descompte per a la propera comanda.",
    button: "Vull el codi",
  },
  waitlist: {
    heading: "Apunteu-vos a la llista d’espera",
    text: "Sereu dels primers a saber quan comencem.",
    button: "M’hi apunto",
  },
  event: {
    heading: "Veniu al nostre esdeveniment",
    text: "Inscriviu-vos-hi i us n’enviarem tots els detalls per correu electrònic.",
    button: "M’hi inscric",
  },
  "lead-magnet": {
    heading: "La nostra guia gratuïta",
    text: "Escriviu l’adreça electrònica i us enviarem la guia.",
    button: "Vull la guia",
  },
  "back-in-stock": {
    heading: "Ara mateix està exhaurit",
    text: "Us escriurem quan aquest producte torni a estar disponible.",
    button: "Aviseu-me",
  },
  "exit-popup": {
    heading: "Abans de marxar",
    text: "Rebeu les nostres millors ofertes per correu electrònic. Us en podeu donar de baixa quan vulgueu.",
  },
  "deadline-bar": {
    heading: "Només durant poc temps",
    text: "Subscriviu-vos ara i no us perdeu la nostra oferta.",
  },
  "two-step-popup": {
    heading: "Voleu rebre notícies nostres?",
    texts: { next: "Sí, endavant" },
  },
};
