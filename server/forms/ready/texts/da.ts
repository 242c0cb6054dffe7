import type { ReadyTexts } from "../ready_texts.ts";

export const da: ReadyTexts = {
  newsletter: {
    heading: "Vores nyhedsbrev",
  },
  "article-end": {
    heading: "Kunne du lide artiklen?",
    text: "Få de næste på e-mail. Du kan afmelde dig når som helst.",
    button: "Send mig nye artikler",
  },
  "coupon-popup": {
    heading: "En velkomstrabat til dig",
    text: "Tilmeld dig, og få en rabatkode til din næste ordre.",
    button: "Få min kode",
  },
  waitlist: {
    heading: "Kom på ventelisten",
    text: "Få besked som en af de første, når vi går i gang.",
    button: "Skriv mig op",
  },
  event: {
    heading: "Kom til vores arrangement",
    text: "Tilmeld dig, og få alle detaljer på e-mail.",
    button: "Tilmeld dig",
  },
  "lead-magnet": {
    heading: "Vores gratis guide",
    text: "Skriv din e-mailadresse, og få guiden tilsendt.",
    button: "Send mig guiden",
  },
  "back-in-stock": {
    heading: "Udsolgt lige nu",
    text: "Vi skriver til dig, når varen er på lager igen.",
    button: "Giv mig besked",
  },
  "exit-popup": {
    heading: "Før du går",
    text: "Få vores bedste tilbud på e-mail. Du kan afmelde dig når som helst.",
  },
  "deadline-bar": {
    heading: "Kun i kort tid",
    text: "Tilmeld dig nu, og gå ikke glip af vores tilbud.",
  },
  "two-step-popup": {
    heading: "Vil du høre fra os?",
    texts: { next: "Ja tak" },
  },
};
