import type { Texts } from "./texts.ts";

export const en: Texts = {
  heading: "Stay in the loop",
  text: "News and offers by e-mail. Unsubscribe whenever you like.",
  emailLabel: "E-mail address",
  nameLabel: "Name",
  interestsLabel: "What would you like to hear about?",
  optional: "optional",
  button: "Subscribe",
  sending: "One moment…",
  success: "Almost done: please check your inbox and confirm your address.",
  alreadySubscribed: "You are already subscribed. Nice to have you here.",
  error: "That did not work. Please try again in a little while.",
  rateLimited: "Too many attempts. Please wait a few minutes and try again.",
  offline: "You are offline. What you typed stays here; try again once you are back.",
  invalidEmail: "Please enter a complete e-mail address, like name@example.com.",
  invalidName: "Please enter your name in up to 100 characters, without a web address.",
  invalidInterests: "Please choose from the list.",
  invalidConsent: "Please tick the box if you want to subscribe.",
  invalid: "Please check what is marked below.",
  didYouMean: "Did you mean {address}?",
  openMail: "Open {provider}",
};
