import type { ReadyTexts } from "../ready_texts.ts";

export const fr: ReadyTexts = {
  newsletter: {
    heading: "Notre newsletter",
  },
  "article-end": {
    heading: "Cet article vous a plu\u202f?",
    text: "Recevez les prochains par e-mail. Désinscription possible à tout moment.",
    button: "Recevoir les articles",
  },
  "coupon-popup": {
    heading: "Une réduction de bienvenue",
    text: "Inscrivez-vous et recevez un code de réduction pour votre prochaine commande.",
    button: "Recevoir mon code",
  },
  waitlist: {
    heading: "Rejoignez la liste d’attente",
    text: "Soyez parmi les premiers à savoir quand nous commençons.",
    button: "M’inscrire",
  },
  event: {
    heading: "Participez à notre événement",
    text: "Inscrivez-vous et recevez tous les détails par e-mail.",
    button: "M’inscrire",
  },
  "lead-magnet": {
    heading: "Notre guide gratuit",
    text: "Indiquez votre adresse e-mail et recevez le guide.",
    button: "Recevoir le guide",
  },
  "back-in-stock": {
    heading: "Actuellement en rupture de stock",
    text: "Nous vous écrirons dès que ce produit sera de nouveau disponible.",
    button: "Me prévenir",
  },
  "exit-popup": {
    heading: "Avant de partir",
    text: "Recevez nos meilleures offres par e-mail. Désinscription possible à tout moment.",
  },
  "deadline-bar": {
    heading: "Pour peu de temps seulement",
    text: "Inscrivez-vous maintenant et profitez de notre offre.",
  },
  "two-step-popup": {
    heading: "Souhaitez-vous recevoir de nos nouvelles\u202f?",
    texts: { next: "Oui, volontiers" },
  },
};
