import type { ReadyTexts } from "../ready_texts.ts";

export const ptBR: ReadyTexts = {
  newsletter: {
    heading: "Nossa newsletter",
  },
  "article-end": {
    heading: "Gostou deste artigo?",
    text: "Receba os próximos por e-mail. Você pode cancelar a inscrição quando quiser.",
    button: "Receber artigos",
  },
  "coupon-popup": {
    heading: "Um desconto de boas-vindas",
    text: "Inscreva-se e receba um código de desconto para sua próxima compra.",
    button: "Quero meu código",
  },
  waitlist: {
    heading: "Entre na lista de espera",
    text: "Saiba antes de todo mundo quando vamos começar.",
    button: "Entrar na lista",
  },
  event: {
    heading: "Venha ao nosso evento",
    text: "Inscreva-se e enviaremos todos os detalhes por e-mail.",
    button: "Inscrever-se",
  },
  "lead-magnet": {
    heading: "Nosso guia gratuito",
    text: "Digite seu e-mail e enviaremos o guia.",
    button: "Receber o guia",
  },
  "back-in-stock": {
    heading: "Esgotado no momento",
    text: "Avisaremos você por e-mail quando este produto voltar ao estoque.",
    button: "Avise-me",
  },
  "exit-popup": {
    heading: "Antes de sair",
    text: "Receba nossas melhores ofertas por e-mail. Você pode cancelar a inscrição quando quiser.",
  },
  "deadline-bar": {
    heading: "Só por pouco tempo",
    text: "Inscreva-se agora e não perca nossa oferta.",
  },
  "two-step-popup": {
    heading: "Quer receber notícias nossas?",
    texts: { next: "Sim, quero" },
  },
};
