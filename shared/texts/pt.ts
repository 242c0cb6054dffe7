import type { Texts } from "./texts.ts";

export const pt: Texts = {
  heading: "Fique a par de tudo",
  text: "Novidades e ofertas por e-mail. Pode cancelar quando quiser.",
  emailLabel: "Endereço de e-mail",
  nameLabel: "Nome",
  interestsLabel: "Sobre o que gostaria de ler?",
  optional: "opcional",
  button: "Subscrever",
  sending: "Um momento…",
  success: "Está quase: veja a sua caixa de entrada e confirme o seu endereço.",
  alreadySubscribed: "A sua subscrição já está ativa. É bom ter a sua companhia.",
  error: "Não funcionou. Tente novamente daqui a pouco.",
  rateLimited: "Demasiadas tentativas. Aguarde alguns minutos e tente novamente.",
  offline:
    "Está sem ligação. O que escreveu fica guardado aqui; tente novamente quando voltar a ter ligação.",
  invalidEmail: "Introduza um endereço de e-mail completo, por exemplo nome@example.com.",
  invalidName: "Introduza o seu nome com um máximo de 100 caracteres e sem endereços web.",
  invalidInterests: "Escolha da lista.",
  invalidConsent: "Marque a caixa se quiser subscrever.",
  invalid: "Verifique o que está assinalado abaixo.",
  again: "Verifique o que escreveu e envie mais uma vez.",
  noForm: "Não existe nenhum formulário de inscrição neste endereço.",
  didYouMean: "Queria dizer {address}?",
  openMail: "Abrir {provider}",
  close: "Fechar",
  coupon: "Subscreva e receba {discount} de desconto na próxima encomenda.",
};
