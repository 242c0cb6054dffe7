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
  success: "Ya casi está: revisa tu bandeja de entrada y confirma tu dirección de correo.",
  alreadySubscribed: "Ya tienes una suscripción activa. Nos alegra tenerte aquí.",
  error: "Algo ha salido mal. Inténtalo de nuevo en unos instantes.",
  rateLimited: "Demasiados intentos. Espera unos minutos y vuelve a intentarlo.",
  offline:
    "No tienes conexión a internet. Lo que has escrito no se perderá; inténtalo de nuevo cuando te conectes.",
  invalidEmail: "Escribe una dirección de correo completa, por ejemplo, nombre@example.com.",
  invalidName: "Escribe un nombre de 100 caracteres como máximo y sin direcciones web.",
  invalidInterests: "Elige entre las opciones de la lista.",
  invalidConsent: "Marca la casilla si quieres suscribirte.",
  invalid: "Revisa los campos marcados.",
  again: "Revisa los datos y vuelve a enviar el formulario.",
  noForm: "No hay ningún formulario de suscripción en esta dirección.",
  didYouMean: "¿Querías decir {address}?",
  openMail: "Abrir {provider}",
  close: "Cerrar",
  coupon: "Suscríbete y consigue {discount} de descuento en tu próximo pedido.",
};
