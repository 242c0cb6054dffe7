import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { counted } from "../../platform/words/counted.ts";
import { check } from "./check.ts";

/** Users of the admin: whether they can sign in. */
export const userChecks = [
  check("users.locked_out", "warn", {
    in: { alert: "users", overview: true, doctor: "users of the admin can sign in", start: true },
    reads: ["lockedOut"],
    find({ lockedOut: { users, allAdmins } }) {
      if (users === 0) return;
      const turnOn = `turn passwords on with \`${cfbeCommand()} users enable-passwords\``;
      return {
        ...(allAdmins && { tone: "bad" }),
        what: `${
          counted(users, "user")
        } can't sign in: passwords are turned off, and they have neither a passkey for this site nor an account at the connected identity provider.${
          allAdmins ? " No admin can sign in." : ""
        }`,
        why:
          "Whoever had another way loses it if the variables CFBE_OIDC_* or the host in CFBE_BASE_URL change.",
        todo: `Set the variables as they were, ${
          allAdmins ? "" : "create a sign-in link for each user on the page Users, "
        }or ${turnOn}.`,
        todoForOthers: allAdmins
          ? "Ask whoever runs cfbe to turn passwords on."
          : "Create a sign-in link for each of them on the page Users, or turn passwords on there.",
        link: { to: "/users", label: "Users" },
      };
    },
  }),
];
