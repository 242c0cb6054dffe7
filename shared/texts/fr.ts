import type { Texts } from "./texts.ts";

export const fr: Texts = {
  heading: "Restez au courant",
  text: "Nos nouveautés et nos offres par e-mail. Désinscription possible à tout moment.",
  emailLabel: "Adresse e-mail",
  nameLabel: "Nom",
  interestsLabel: "Quels sujets vous intéressent ?",
  optional: "facultatif",
  button: "S’inscrire",
  sending: "Un instant…",
  success: "C’est presque fait : consultez votre boîte de réception et confirmez votre adresse.",
  alreadySubscribed: "Vous êtes déjà inscrit. Merci de votre fidélité.",
  error: "Cela n’a pas fonctionné. Veuillez réessayer dans quelques instants.",
  rateLimited: "Trop de tentatives. Patientez quelques minutes, puis réessayez.",
  offline: "Vous êtes hors ligne. Votre saisie est conservée ; réessayez une fois reconnecté.",
  invalidEmail: "Saisissez une adresse e-mail complète, par exemple nom@example.com.",
  invalidName: "Saisissez votre nom en 100 caractères au plus, sans adresse de site web.",
  invalidInterests: "Choisissez dans la liste.",
  invalidConsent: "Cochez la case si vous souhaitez vous inscrire.",
  invalid: "Vérifiez les champs signalés ci-dessous.",
  didYouMean: "Vouliez-vous dire {address} ?",
  openMail: "Ouvrir {provider}",
};
