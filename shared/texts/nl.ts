import type { Texts } from "./texts.ts";

export const nl: Texts = {
  heading: "Blijf op de hoogte",
  text: "Nieuws en aanbiedingen per e-mail. Afmelden kan altijd.",
  emailLabel: "E-mailadres",
  nameLabel: "Naam",
  interestsLabel: "Waarover wilt u lezen?",
  optional: "niet verplicht",
  button: "Aanmelden",
  sending: "Een moment…",
  success: "Bijna klaar: kijk in uw inbox en bevestig uw adres.",
  alreadySubscribed: "U bent al aangemeld. Fijn dat u er bent.",
  error: "Dat is niet gelukt. Probeer het straks nog eens.",
  rateLimited: "Te veel pogingen. Wacht een paar minuten en probeer het opnieuw.",
  offline:
    "U bent offline. Wat u hebt ingevuld blijft staan; probeer het opnieuw zodra u weer verbinding hebt.",
  invalidEmail: "Vul een volledig e-mailadres in, bijvoorbeeld naam@example.com.",
  invalidName: "Vul uw naam in met hooguit 100 tekens en zonder webadres.",
  invalidInterests: "Kies uit de lijst.",
  invalidConsent: "Vink het vakje aan als u zich wilt aanmelden.",
  invalid: "Controleer wat hieronder is gemarkeerd.",
  again: "Controleer wat u hebt ingevuld en verstuur het nog een keer.",
  noForm: "Op dit adres is er geen aanmeldformulier.",
  didYouMean: "Bedoelde u {address}?",
  openMail: "{provider} openen",
  close: "Sluiten",
  coupon: "Schrijf u in en krijg {discount} korting op uw volgende bestelling.",
};
