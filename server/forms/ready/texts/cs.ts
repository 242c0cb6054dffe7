import type { ReadyTexts } from "../ready_texts.ts";

export const cs: ReadyTexts = {
  newsletter: {
    heading: "Náš newsletter",
  },
  "article-end": {
    heading: "Líbil se vám tento článek?",
    text: "Další vám pošleme e-mailem. Odhlásit se můžete kdykoli.",
    button: "Posílat nové články",
  },
  "coupon-popup": {
    heading: "Sleva na uvítanou",
    text: "Přihlaste se k odběru a získejte slevový kód na příští objednávku.",
    button: "Získat kód",
  },
  waitlist: {
    heading: "Zapište se na čekací listinu",
    text: "Dozvíte se mezi prvními, kdy začínáme.",
    button: "Zapsat se",
  },
  event: {
    heading: "Přijďte na naši akci",
    text: "Přihlaste se a pošleme vám všechny podrobnosti e-mailem.",
    button: "Přihlásit se",
  },
  "lead-magnet": {
    heading: "Náš bezplatný průvodce",
    text: "Zadejte svou e-mailovou adresu a průvodce vám pošleme.",
    button: "Poslat průvodce",
  },
  "back-in-stock": {
    heading: "Momentálně vyprodáno",
    text: "Napíšeme vám, až bude tento produkt znovu dostupný.",
    button: "Dát mi vědět",
  },
  "exit-popup": {
    heading: "Než odejdete",
    text: "Naše nejlepší nabídky e-mailem. Odhlásit se můžete kdykoli.",
  },
  "deadline-bar": {
    heading: "Jen na krátkou dobu",
    text: "Přihlaste se hned a nezmeškejte naši nabídku.",
  },
  "two-step-popup": {
    heading: "Chcete od nás dostávat zprávy?",
    texts: { next: "Ano, rádi" },
  },
};
