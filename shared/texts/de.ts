import type { Texts } from "./texts.ts";

export const de: Texts = {
  heading: "Auf dem Laufenden bleiben",
  text: "Neuigkeiten und Angebote per E-Mail. Abmelden geht jederzeit.",
  emailLabel: "E-Mail-Adresse",
  nameLabel: "Name",
  interestsLabel: "Worüber möchten Sie lesen?",
  optional: "freiwillig",
  button: "Anmelden",
  sending: "Einen Moment …",
  success: "Fast geschafft: Bitte sehen Sie in Ihr Postfach und bestätigen Sie Ihre Adresse.",
  alreadySubscribed: "Sie sind schon angemeldet. Schön, dass Sie da sind.",
  error: "Das hat nicht geklappt. Bitte versuchen Sie es gleich noch einmal.",
  rateLimited: "Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
  offline:
    "Sie sind offline. Ihre Eingaben bleiben stehen; versuchen Sie es wieder, sobald Sie verbunden sind.",
  invalidEmail: "Bitte geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.",
  invalidName: "Bitte geben Sie Ihren Namen mit höchstens 100 Zeichen und ohne Internetadresse ein.",
  invalidInterests: "Bitte wählen Sie aus der Liste.",
  invalidConsent: "Bitte setzen Sie das Häkchen, wenn Sie sich anmelden möchten.",
  invalid: "Bitte prüfen Sie die markierten Angaben.",
  again: "Bitte prüfen Sie Ihre Angaben und senden Sie sie noch einmal ab.",
  noForm: "Unter dieser Adresse gibt es kein Anmeldeformular.",
  didYouMean: "Meinten Sie {address}?",
  openMail: "{provider} öffnen",
  close: "Schließen",
  coupon: "Anmelden und {discount} Rabatt auf die nächste Bestellung erhalten.",
};
