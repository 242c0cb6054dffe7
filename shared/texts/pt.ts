import type { Texts } from "./texts.ts";

export const pt: Texts = {
  heading: "Fique a par de tudo",
  text: "Novidades e ofertas por e-mail. Pode cancelar a subscrição quando quiser.",
  emailLabel: "Endereço de e-mail",
  nameLabel: "Nome",
  interestsLabel: "Que temas lhe interessam?",
  optional: "opcional",
  button: "Subscrever",
  sending: "Um momento…",
  success: "Está quase: consulte a sua caixa de entrada e confirme o seu endereço de e-mail.",
  alreadySubscribed: "A sua subscrição já está ativa. É um prazer contar consigo.",
  error: "Ocorreu um erro. Tente novamente dentro de momentos.",
  rateLimited: "Demasiadas tentativas. Aguarde alguns minutos e tente novamente.",
  offline:
    "Está sem ligação à Internet. O que escreveu não se perde; tente novamente quando voltar a ter ligação.",
  invalidEmail: "Introduza um endereço de e-mail completo, por exemplo nome@example.com.",
  invalidName: "Introduza um nome com um máximo de 100 caracteres, sem endereços web.",
  invalidInterests: "Escolha entre as opções da lista.",
  invalidConsent: "Marque a caixa se quiser subscrever.",
  invalid: "Corrija os campos assinalados.",
  again: "Verifique os dados e envie o formulário novamente.",
  noForm: "Não existe nenhum formulário de subscrição neste endereço.",
  didYouMean: "Queria dizer {address}?",
  openMail: "Abrir {provider}",
  close: "Fechar",
  coupon: "Subscreva e receba {discount} de desconto na sua próxima encomenda.",
};
