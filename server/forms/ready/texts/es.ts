import type { ReadyTexts } from "../ready_texts.ts";

export const es: ReadyTexts = {
  newsletter: {
    heading: "Nuestro boletín",
  },
  "article-end": {
    heading: "¿Te ha gustado este artículo?",
    text: "Recibe los próximos por correo electrónico. Puedes darte de baja cuando quieras.",
    button: "Recibir artículos",
  },
  "coupon-popup": {
    heading: "Un descuento de bienvenida",
    text: "Suscríbete y consigue un código de descuento para tu próximo pedido.",
    button: "Recibir mi código",
  },
  waitlist: {
    heading: "Apúntate a la lista de espera",
    text: "Entérate entre los primeros de cuándo empezamos.",
    button: "Apuntarme",
  },
  event: {
    heading: "Ven a nuestro evento",
    text: "Apúntate y te enviaremos todos los detalles por correo electrónico.",
    button: "Apuntarme",
  },
  "lead-magnet": {
    heading: "Nuestra guía gratuita",
    text: "Escribe tu dirección de correo y te enviaremos la guía.",
    button: "Recibir la guía",
  },
  "back-in-stock": {
    heading: "Agotado en este momento",
    text: "Te escribiremos cuando este producto vuelva a estar disponible.",
    button: "Avisarme",
  },
  "exit-popup": {
    heading: "Antes de irte",
    text: "Recibe nuestras mejores ofertas por correo electrónico. Puedes darte de baja cuando quieras.",
  },
  "deadline-bar": {
    heading: "Solo por poco tiempo",
    text: "Suscríbete ahora y no te pierdas nuestra oferta.",
  },
  "two-step-popup": {
    heading: "¿Te gustaría saber de nosotros?",
    texts: { next: "Sí, claro" },
  },
};
