import type { Texts } from "./texts.ts";

export const de: Texts = {
  heading: "Bleiben Sie auf dem Laufenden",
  text: "Neuigkeiten und Angebote per E-Mail. Abmeldung jederzeit möglich.",
  emailLabel: "E-Mail-Adresse",
  nameLabel: "Name",
  interestsLabel: "Welche Themen interessieren Sie?",
  optional: "optional",
  button: "Anmelden",
  sending: "Einen Moment\u00a0…",
  success: "Fast geschafft: Bitte öffnen Sie Ihren Posteingang und bestätigen Sie Ihre E-Mail-Adresse.",
  alreadySubscribed: "Sie sind bereits für den Newsletter angemeldet. Schön, dass Sie dabei sind.",
  error: "Das hat leider nicht geklappt. Bitte versuchen Sie es in Kürze erneut.",
  rateLimited: "Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es dann erneut.",
  offline:
    "Sie sind offline. Ihre Eingaben bleiben erhalten. Bitte versuchen Sie es erneut, sobald Sie wieder online sind.",
  invalidEmail: "Bitte geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.",
  invalidName: "Bitte geben Sie einen Namen mit höchstens 100 Zeichen und ohne Webadresse ein.",
  invalidInterests: "Bitte treffen Sie eine Auswahl aus der Liste.",
  invalidConsent: "Bitte setzen Sie das Häkchen, wenn Sie sich anmelden möchten.",
  invalid: "Bitte korrigieren Sie die markierten Felder.",
  again: "Bitte prüfen Sie Ihre Angaben und senden Sie das Formular erneut ab.",
  noForm: "Unter dieser Adresse gibt es kein Anmeldeformular.",
  didYouMean: "Meinten Sie {address}?",
  openMail: "{provider} öffnen",
  close: "Schließen",
  coupon: "Jetzt anmelden und {discount} Rabatt auf Ihre nächste Bestellung erhalten.",
};
