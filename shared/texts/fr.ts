import type { Texts } from "./texts.ts";

export const fr: Texts = {
  heading: "Restez au courant",
  text: "Nos nouveautés et nos offres par e-mail. Désinscription possible à tout moment.",
  emailLabel: "Adresse e-mail",
  nameLabel: "Nom",
  interestsLabel: "Quels sujets vous intéressent\u00a0?",
  optional: "facultatif",
  button: "S’inscrire",
  sending: "Un instant…",
  success: "C’est presque fait\u00a0: consultez votre boîte de réception et confirmez votre adresse e-mail.",
  alreadySubscribed: "Votre inscription est déjà active. Merci de votre fidélité.",
  error: "Une erreur est survenue. Veuillez réessayer dans quelques instants.",
  rateLimited: "Trop de tentatives. Veuillez patienter quelques minutes, puis réessayer.",
  offline:
    "Vous êtes hors ligne. Votre saisie est conservée\u00a0; réessayez lorsque la connexion sera rétablie.",
  invalidEmail: "Saisissez une adresse e-mail complète, par exemple nom@example.com.",
  invalidName: "Saisissez un nom de 100 caractères au maximum, sans adresse web.",
  invalidInterests: "Choisissez parmi les options de la liste.",
  invalidConsent: "Cochez la case si vous souhaitez vous inscrire.",
  invalid: "Veuillez corriger les champs signalés.",
  again: "Vérifiez votre saisie, puis envoyez à nouveau le formulaire.",
  noForm: "Aucun formulaire d’inscription ne se trouve à cette adresse.",
  didYouMean: "Vouliez-vous dire {address}\u00a0?",
  openMail: "Ouvrir {provider}",
  close: "Fermer",
  coupon: "Inscrivez-vous et recevez {discount} de réduction sur votre prochaine commande.",
};
