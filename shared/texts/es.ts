import type { Texts } from "./texts.ts";

export const es: Texts = {
  heading: "No te pierdas nada",
  text: "Novedades y ofertas por correo electrónico. Puedes darte de baja cuando quieras.",
  emailLabel: "Correo electrónico",
  nameLabel: "Nombre",
  interestsLabel: "¿Qué temas te interesan?",
  optional: "opcional",
  button: "Suscribirme",
  sending: "Un momento…",
  success: "Ya casi está: revisa tu bandeja de entrada y confirma tu dirección.",
  alreadySubscribed: "Ya tienes una suscripción. Nos alegra tenerte aquí.",
  error: "No ha funcionado. Vuelve a intentarlo dentro de un rato.",
  rateLimited: "Demasiados intentos. Espera unos minutos y vuelve a intentarlo.",
  offline: "No tienes conexión. Lo que has escrito se conserva; inténtalo de nuevo cuando vuelvas a tenerla.",
  invalidEmail: "Escribe una dirección de correo completa, por ejemplo nombre@example.com.",
  invalidName: "Escribe tu nombre con un máximo de 100 caracteres y sin direcciones web.",
  invalidInterests: "Elige de la lista.",
  invalidConsent: "Marca la casilla si quieres suscribirte.",
  invalid: "Revisa lo que está marcado abajo.",
  didYouMean: "¿Querías decir {address}?",
  openMail: "Abrir {provider}",
};
