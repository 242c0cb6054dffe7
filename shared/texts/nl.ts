import type { Texts } from "./texts.ts";

export const nl: Texts = {
  heading: "Blijf op de hoogte",
  text: "Nieuws en aanbiedingen per e-mail. Uitschrijven kan altijd.",
  emailLabel: "E-mailadres",
  nameLabel: "Naam",
  interestsLabel: "Welke onderwerpen interesseren u?",
  optional: "optioneel",
  button: "Inschrijven",
  sending: "Een ogenblik…",
  success: "Bijna klaar: kijk in uw inbox en bevestig uw e-mailadres.",
  alreadySubscribed: "U bent al ingeschreven. Fijn dat u er bent.",
  error: "Er is iets misgegaan. Probeer het straks opnieuw.",
  rateLimited: "Te veel pogingen. Wacht een paar minuten en probeer het opnieuw.",
  offline:
    "U bent offline. Wat u hebt ingevuld, blijft bewaard. Probeer het opnieuw zodra u weer verbinding hebt.",
  invalidEmail: "Vul een volledig e-mailadres in, bijvoorbeeld naam@example.com.",
  invalidName: "Vul een naam in van maximaal 100 tekens, zonder webadres.",
  invalidInterests: "Maak een keuze uit de lijst.",
  invalidConsent: "Vink het vakje aan als u zich wilt inschrijven.",
  invalid: "Controleer de gemarkeerde velden.",
  again: "Controleer uw gegevens en verstuur het formulier opnieuw.",
  noForm: "Op dit adres is geen inschrijfformulier te vinden.",
  didYouMean: "Bedoelde u {address}?",
  openMail: "{provider} openen",
  close: "Sluiten",
  coupon: "Schrijf u in en ontvang {discount} korting op uw volgende bestelling.",
};
