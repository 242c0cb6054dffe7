import type { Texts } from "./texts.ts";

export const pl: Texts = {
  heading: "Bądź na bieżąco",
  text: "Nowości i oferty e-mailem. W każdej chwili możesz zrezygnować z subskrypcji.",
  emailLabel: "Adres e-mail",
  nameLabel: "Imię i nazwisko",
  interestsLabel: "Jakie tematy Cię interesują?",
  optional: "opcjonalnie",
  button: "Zapisz się",
  sending: "Chwileczkę…",
  success: "Prawie gotowe: sprawdź skrzynkę odbiorczą i potwierdź swój adres e-mail.",
  alreadySubscribed: "Ten adres jest już zapisany. Miło, że jesteś z nami.",
  error: "Coś poszło nie tak. Spróbuj ponownie za chwilę.",
  rateLimited: "Zbyt wiele prób. Odczekaj kilka minut i spróbuj ponownie.",
  offline:
    "Brak połączenia z internetem. Wpisane dane nie zostaną utracone; spróbuj ponownie po odzyskaniu połączenia.",
  invalidEmail: "Wpisz pełny adres e-mail, na przykład nazwa@example.com.",
  invalidName: "Wpisz imię i nazwisko (maksymalnie 100 znaków, bez adresu strony internetowej).",
  invalidInterests: "Wybierz pozycje z listy.",
  invalidConsent: "Zaznacz pole, jeśli chcesz się zapisać.",
  invalid: "Popraw zaznaczone pola.",
  again: "Sprawdź wpisane dane i wyślij formularz ponownie.",
  noForm: "Pod tym adresem nie ma formularza zapisu.",
  didYouMean: "Czy chodziło o {address}?",
  openMail: "Otwórz {provider}",
  close: "Zamknij",
  coupon: "Zapisz się i odbierz {discount} zniżki na następne zamówienie.",
};
