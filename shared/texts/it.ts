import type { Texts } from "./texts.ts";

export const it: Texts = {
  heading: "Resta aggiornato",
  text: "Novità e offerte via e-mail. Puoi annullare l’iscrizione quando vuoi.",
  emailLabel: "Indirizzo e-mail",
  nameLabel: "Nome",
  interestsLabel: "Di che cosa vorresti leggere?",
  optional: "facoltativo",
  button: "Iscriviti",
  sending: "Un momento…",
  success: "Ci siamo quasi: controlla la posta in arrivo e conferma il tuo indirizzo.",
  alreadySubscribed: "L’iscrizione è già attiva. È un piacere averti qui.",
  error: "Non ha funzionato. Riprova tra poco.",
  rateLimited: "Troppi tentativi. Attendi qualche minuto e riprova.",
  offline: "Non c’è connessione. Quello che hai scritto resta qui; riprova quando torni online.",
  invalidEmail: "Inserisci un indirizzo e-mail completo, per esempio nome@example.com.",
  invalidName: "Inserisci il tuo nome con al massimo 100 caratteri e senza indirizzi web.",
  invalidInterests: "Scegli dall’elenco.",
  invalidConsent: "Spunta la casella se vuoi iscriverti.",
  invalid: "Controlla ciò che è segnalato qui sotto.",
  didYouMean: "Intendevi {address}?",
  openMail: "Apri {provider}",
};
