import { limitsOff } from "../activation/limits_off.ts";
import { type Check, finding } from "./finding.ts";

/** Checks that no filter for tests is left in the config file. */
export const limitsCheck: Check = {
  name: "the rate limits are on",
  async run(app) {
    return (await limitsOff(app)).map(({ filter, what }) =>
      finding("warning", "limits.off", {
        what,
        why: "Bots can sign up without limit, and flood strangers' inboxes.",
        todo:
          `Remove ${filter} from the config file before real visitors sign up, then restart cfbe. While you test, no action is needed.`,
      })
    );
  },
};
