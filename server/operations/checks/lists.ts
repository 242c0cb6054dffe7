import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { OptIn } from "../../providers/port/capabilities.ts";
import { missingFields } from "../../settings/store/provider.ts";
import { chosenLists, missingLists } from "../provider/lists.ts";
import { check } from "./check.ts";

/** Where double opt-in is turned on. */
export const OPT_IN_PLACES: Readonly<Record<Exclude<OptIn, "none">, string>> = {
  list: "in the list's settings",
  form: "in the form's settings",
  template: "with the template of the confirmation email",
  account: "in the account's settings",
};
const LISTS_LINE = "the lists exist and use double opt-in";
const LIST = new Intl.ListFormat("en");

/** What signups need at the provider: lists with double opt-in, and the templates of emails. */
export const listChecks = [
  check("lists.no_default", "bad", {
    in: { overview: true, doctor: LISTS_LINE },
    reads: ["settings", "providers", "lists"],
    find({ settings, providers, lists }) {
      const isNext = settings.general.defaultList === "" && missingFields(settings, providers).length === 0;
      const choice = lists.map(({ id, name }) => `${name} (${id})`).join(", ");
      return isNext && {
        what: "No default list is selected: every signup is rejected.",
        why: "A signup whose form names no list goes to the default list.",
        todo: choice === ""
          ? "Load the lists on the admin's Provider page, and select one. If there is none, create it at the provider."
          : `On the admin's Provider page, select one of: ${choice}.`,
        link: { to: "/first-run", label: "Continue setup" },
      };
    },
  }),
  check("lists.missing", "bad", {
    in: { doctor: LISTS_LINE, pages: ["/provider#step-list"] },
    reads: ["settings", "lists"],
    find: ({ settings, lists }) =>
      missingLists(settings, lists).map(({ id, where }) => ({
        what: `The list ${id}, selected in ${where.join(", ")}, does not exist at the provider.`,
        why: "Its signups cannot be delivered and fail after three days.",
        todo: `Select another list, or run \`${cfbeCommand()} lists load\` to compare.`,
        todoForOthers: "Select another list.",
      })),
  }),
  check("lists.single_opt_in", "bad", {
    in: {
      overview: true,
      doctor: LISTS_LINE,
      connection: true,
      pages: ["/provider#step-opt-in", "/first-run"],
    },
    reads: ["settings", "lists", "capabilities"],
    find({ settings, lists, capabilities: { optIn } }) {
      const chosen = chosenLists(settings);
      const off = lists.filter(({ id, doubleOptIn }) => doubleOptIn === false && chosen.has(id));
      const names = off.map(({ id, name }) => `${name} (selected in ${chosen.get(id)!.join(", ")})`);
      const turnOn = optIn === "none"
        ? "This provider has no double opt-in. Use another provider for signups from public forms."
        : `Turn it on at the provider, ${OPT_IN_PLACES[optIn]}, then reload the lists on the Provider page`;
      return off.length > 0 && {
        what: `Double opt-in is off for ${LIST.format(names)}: ${
          optIn === "template" ? "the provider refuses every signup." : "anyone can sign up other people."
        }`,
        why: optIn === "template"
          ? "It cannot send the confirmation email."
          : "There is no proof that the owner of an address agreed.",
        todo: optIn === "none" ? turnOn : `${turnOn}, or run \`${cfbeCommand()} lists load\`.`,
        todoForOthers: optIn === "none" ? turnOn : `${turnOn}.`,
        link: { to: "/provider#step-opt-in", label: "Check double opt-in" },
      };
    },
  }),
  check("lists.opt_in_unknown", "warn", {
    in: { doctor: LISTS_LINE, connection: true },
    reads: ["settings", "lists", "capabilities"],
    find({ settings, lists, capabilities: { optIn } }) {
      const chosen = chosenLists(settings);
      const unknown = lists.filter(({ id, doubleOptIn }) => doubleOptIn === undefined && chosen.has(id));
      return unknown.length > 0 && optIn !== "none" && {
        what: `The provider does not show whether double opt-in is on for: ${
          unknown.map(({ name }) => name).join(", ")
        }.`,
        why: "If it is off, anyone can sign up someone else.",
        todo: `Check it at the provider, ${OPT_IN_PLACES[optIn]}.`,
      };
    },
  }),
  check("templates.missing", "bad", {
    in: { doctor: "the email templates exist", connection: true },
    reads: ["missingTemplates"],
    find: ({ missingTemplates }) =>
      missingTemplates.map(({ id, where }) => ({
        what: `The email template ${id}, entered in ${where.join(", ")}, does not exist at the provider.`,
        why: "Its emails can't be sent, and fail after three days.",
        todo: "Enter the ID of a template that exists there.",
      })),
  }),
];
