import type { Texts } from "./texts.ts";

export const pl: Texts = {
  heading: "Bądź na bieżąco",
  text: "Nowości i oferty e-mailem. Możesz zrezygnować w każdej chwili.",
  emailLabel: "Adres e-mail",
  nameLabel: "Imię i nazwisko",
  interestsLabel: "O czym chcesz czytać?",
  optional: "opcjonalnie",
  button: "Zapisz się",
  sending: "Chwileczkę…",
  success: "Prawie gotowe: sprawdź skrzynkę odbiorczą i potwierdź swój adres.",
  alreadySubscribed: "Ten adres jest już zapisany. Miło nam.",
  error: "Nie udało się. Spróbuj ponownie za chwilę.",
  rateLimited: "Zbyt wiele prób. Odczekaj kilka minut i spróbuj ponownie.",
  offline: "Brak połączenia. Wpisane dane pozostaną na miejscu; spróbuj ponownie po odzyskaniu połączenia.",
  invalidEmail: "Wpisz pełny adres e-mail, na przykład nazwa@example.com.",
  invalidName: "Wpisz imię i nazwisko: najwyżej 100 znaków, bez adresu strony internetowej.",
  invalidInterests: "Wybierz z listy.",
  invalidConsent: "Zaznacz pole, jeśli chcesz się zapisać.",
  invalid: "Sprawdź pola zaznaczone poniżej.",
  didYouMean: "Czy chodziło o {address}?",
  openMail: "Otwórz {provider}",
};
