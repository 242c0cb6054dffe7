import type { ReadyTexts } from "../ready_texts.ts";

export const pt: ReadyTexts = {
  newsletter: {
    heading: "A nossa newsletter",
  },
  "article-end": {
    heading: "Gostou deste artigo?",
    text: "Receba os próximos por e-mail. Pode cancelar a subscrição quando quiser.",
    button: "Receber artigos",
  },
  "coupon-popup": {
    heading: "Um desconto de boas-vindas",
    text: "Subscreva e receba um código de desconto para a sua próxima encomenda.",
    button: "Receber o código",
  },
  waitlist: {
    heading: "Entre na lista de espera",
    text: "Saiba entre os primeiros quando começamos.",
    button: "Inscrever-me",
  },
  event: {
    heading: "Venha ao nosso evento",
    text: "Inscreva-se e enviamos-lhe todos os detalhes por e-mail.",
    button: "Inscrever-me",
  },
  "lead-magnet": {
    heading: "O nosso guia gratuito",
    text: "Indique o seu endereço de e-mail e enviamos-lhe o guia.",
    button: "Receber o guia",
  },
  "back-in-stock": {
    heading: "Esgotado de momento",
    text: "Escrevemos-lhe quando este produto voltar a estar disponível.",
    button: "Avisem-me",
  },
  "exit-popup": {
    heading: "Antes de sair",
    text: "Receba as nossas melhores ofertas por e-mail. Pode cancelar a subscrição quando quiser.",
  },
  "deadline-bar": {
    heading: "Só por pouco tempo",
    text: "Subscreva agora e não perca a nossa oferta.",
  },
  "two-step-popup": {
    heading: "Gostaria de receber notícias nossas?",
    texts: { next: "Sim, com gosto" },
  },
};
