import type { ReadyTexts } from "../ready_texts.ts";

export const pl: ReadyTexts = {
  newsletter: {
    heading: "Nasz newsletter",
  },
  "article-end": {
    heading: "Podoba Ci się ten artykuł?",
    text: "Otrzymuj kolejne e-mailem. W każdej chwili możesz zrezygnować z subskrypcji.",
    button: "Otrzymuj artykuły",
  },
  "coupon-popup": {
    heading: "Zniżka na powitanie",
    text: "Zapisz się i odbierz kod rabatowy na następne zamówienie.",
    button: "Odbierz kod",
  },
  waitlist: {
    heading: "Dołącz do listy oczekujących",
    text: "Dowiedz się wśród pierwszych, kiedy zaczynamy.",
    button: "Dołącz",
  },
  event: {
    heading: "Przyjdź na nasze wydarzenie",
    text: "Zapisz się, a wyślemy Ci wszystkie szczegóły e-mailem.",
    button: "Zapisz się",
  },
  "lead-magnet": {
    heading: "Nasz bezpłatny poradnik",
    text: "Podaj swój adres e-mail, a wyślemy Ci poradnik.",
    button: "Odbierz poradnik",
  },
  "back-in-stock": {
    heading: "Chwilowo niedostępne",
    text: "Napiszemy do Ciebie, gdy ten produkt będzie znów dostępny.",
    button: "Powiadom mnie",
  },
  "exit-popup": {
    heading: "Zanim nas opuścisz",
    text: "Otrzymuj nasze najlepsze oferty e-mailem. W każdej chwili możesz zrezygnować z subskrypcji.",
  },
  "deadline-bar": {
    heading: "Tylko przez krótki czas",
    text: "Zapisz się teraz i nie przegap naszej oferty.",
  },
  "two-step-popup": {
    heading: "Chcesz dostawać od nas wiadomości?",
    texts: { next: "Tak, chętnie" },
  },
};
