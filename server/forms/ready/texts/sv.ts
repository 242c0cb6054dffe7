import type { ReadyTexts } from "../ready_texts.ts";

export const sv: ReadyTexts = {
  newsletter: {
    heading: "Vårt nyhetsbrev",
  },
  "article-end": {
    heading: "Gillade du artikeln?",
    text: "Få de nästa via e-post. Avsluta prenumerationen när du vill.",
    button: "Skicka nya artiklar",
  },
  "coupon-popup": {
    heading: "En välkomstrabatt till dig",
    text: "Prenumerera så får du en rabattkod till din nästa beställning.",
    button: "Få min kod",
  },
  waitlist: {
    heading: "Ställ dig i kön",
    text: "Få veta bland de första när vi startar.",
    button: "Skriv upp mig",
  },
  event: {
    heading: "Kom till vårt evenemang",
    text: "Anmäl dig så mejlar vi alla detaljer.",
    button: "Anmäl dig",
  },
  "lead-magnet": {
    heading: "Vår kostnadsfria guide",
    text: "Fyll i din e-postadress så skickar vi guiden.",
    button: "Skicka guiden",
  },
  "back-in-stock": {
    heading: "Slut i lager just nu",
    text: "Vi mejlar dig när produkten finns igen.",
    button: "Meddela mig",
  },
  "exit-popup": {
    heading: "Innan du går",
    text: "Få våra bästa erbjudanden via e-post. Avsluta prenumerationen när du vill.",
  },
  "deadline-bar": {
    heading: "Bara under en kort tid",
    text: "Prenumerera nu och missa inte vårt erbjudande.",
  },
  "two-step-popup": {
    heading: "Vill du höra från oss?",
    texts: { next: "Ja tack" },
  },
};
