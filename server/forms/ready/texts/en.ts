import type { ReadyTexts } from "../ready_texts.ts";

export const en: ReadyTexts = {
  newsletter: {
    heading: "Our newsletter",
  },
  "article-end": {
    heading: "Did you like this article?",
    text: "Get the next ones by email. Unsubscribe at any time.",
    button: "Send me new articles",
  },
  "coupon-popup": {
    heading: "A welcome discount for you",
    text: "Subscribe and get a discount code for your next order.",
    button: "Get my code",
  },
  waitlist: {
    heading: "Join the waitlist",
    text: "Be among the first to know when we start.",
    button: "Join",
  },
  event: {
    heading: "Come to our event",
    text: "Sign up, and we’ll email you all the details.",
    button: "Sign up",
  },
  "lead-magnet": {
    heading: "Get our free guide",
    text: "Enter your email address, and we’ll send you the guide.",
    button: "Send me the guide",
  },
  "back-in-stock": {
    heading: "Out of stock right now",
    text: "We’ll email you when this product is available again.",
    button: "Notify me",
  },
  "exit-popup": {
    heading: "Before you go",
    text: "Get our best offers by email. Unsubscribe at any time.",
  },
  "deadline-bar": {
    heading: "Only for a short time",
    text: "Subscribe now, and don’t miss our offer.",
  },
  "two-step-popup": {
    heading: "Would you like to hear from us?",
    texts: { next: "Yes, please" },
  },
};
