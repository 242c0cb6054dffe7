import type { Texts } from "./texts.ts";

export const sv: Texts = {
  heading: "Håll dig uppdaterad",
  text: "Nyheter och erbjudanden via e-post. Avsluta när du vill.",
  emailLabel: "E-postadress",
  nameLabel: "Namn",
  interestsLabel: "Vad vill du läsa om?",
  optional: "frivilligt",
  button: "Prenumerera",
  sending: "Ett ögonblick…",
  success: "Nästan klart: titta i din inkorg och bekräfta din adress.",
  alreadySubscribed: "Du prenumererar redan. Kul att du är här.",
  error: "Det gick inte. Försök igen om en stund.",
  rateLimited: "För många försök. Vänta några minuter och försök igen.",
  offline: "Du är inte ansluten. Det du skrev finns kvar; försök igen när du är ansluten.",
  invalidEmail: "Ange en fullständig e-postadress, till exempel namn@example.com.",
  invalidName: "Ange ditt namn med högst 100 tecken och utan webbadress.",
  invalidInterests: "Välj i listan.",
  invalidConsent: "Kryssa i rutan om du vill prenumerera.",
  invalid: "Kontrollera det som är markerat nedan.",
  didYouMean: "Menade du {address}?",
  openMail: "Öppna {provider}",
};
