import type { ReadyTexts } from "../ready_texts.ts";

export const ro: ReadyTexts = {
  newsletter: {
    heading: "Newsletterul nostru",
  },
  "article-end": {
    heading: "Ți-a plăcut acest articol?",
    text: "Primește-le pe următoarele prin e-mail. Te poți dezabona oricând.",
    button: "Vreau articole noi",
  },
  "coupon-popup": {
    heading: "O reducere de bun venit pentru tine",
    text: "Abonează-te și primești un cod de reducere pentru următoarea comandă.",
    button: "Vreau codul",
  },
  waitlist: {
    heading: "Înscrie-te pe lista de așteptare",
    text: "Află printre primii când începem.",
    button: "Mă înscriu",
  },
  event: {
    heading: "Vino la evenimentul nostru",
    text: "Înscrie-te și îți trimitem toate detaliile prin e-mail.",
    button: "Mă înscriu",
  },
  "lead-magnet": {
    heading: "Ghidul nostru gratuit",
    text: "Introdu adresa ta de e-mail și îți trimitem ghidul.",
    button: "Vreau ghidul",
  },
  "back-in-stock": {
    heading: "Momentan indisponibil",
    text: "Îți scriem când produsul este din nou disponibil.",
    button: "Anunță-mă",
  },
  "exit-popup": {
    heading: "Înainte să pleci",
    text: "Primește cele mai bune oferte prin e-mail. Te poți dezabona oricând.",
  },
  "deadline-bar": {
    heading: "Doar pentru scurt timp",
    text: "Abonează-te acum și nu rata oferta noastră.",
  },
  "two-step-popup": {
    heading: "Vrei să primești vești de la noi?",
    texts: { next: "Da, cu plăcere" },
  },
};
