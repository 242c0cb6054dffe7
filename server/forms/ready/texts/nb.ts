import type { ReadyTexts } from "../ready_texts.ts";

export const nb: ReadyTexts = {
  newsletter: {
    heading: "Nyhetsbrevet vårt",
  },
  "article-end": {
    heading: "Likte du artikkelen?",
    text: "Få de neste på e-post. Du kan melde deg av når som helst.",
    button: "Send meg nye artikler",
  },
  "coupon-popup": {
    heading: "En velkomstrabatt til deg",
    text: "Meld deg på og få en rabattkode til neste bestilling.",
    button: "Få koden min",
  },
  waitlist: {
    heading: "Sett deg på ventelisten",
    text: "Få vite det blant de første når vi starter.",
    button: "Sett meg opp",
  },
  event: {
    heading: "Kom på arrangementet vårt",
    text: "Meld deg på og få alle detaljer på e-post.",
    button: "Meld deg på",
  },
  "lead-magnet": {
    heading: "Vår gratis guide",
    text: "Skriv inn e-postadressen din og få guiden tilsendt.",
    button: "Send meg guiden",
  },
  "back-in-stock": {
    heading: "Utsolgt akkurat nå",
    text: "Vi skriver til deg når varen er på lager igjen.",
    button: "Gi meg beskjed",
  },
  "exit-popup": {
    heading: "Før du går",
    text: "Få de beste tilbudene våre på e-post. Du kan melde deg av når som helst.",
  },
  "deadline-bar": {
    heading: "Bare for en kort tid",
    text: "Meld deg på nå og få med deg tilbudet vårt.",
  },
  "two-step-popup": {
    heading: "Vil du høre fra oss?",
    texts: { next: "Ja takk" },
  },
};
