import { z } from "zod";
import { mailboxOf } from "../../../../shared/mailbox.ts";
import { counted } from "../../../platform/words/counted.ts";
import { normalizeEmail } from "../../../platform/http/email.ts";
import { normalizeIp } from "../../../platform/http/visitor/ip_ranges.ts";
import { limitSubject } from "../../../platform/http/visitor/visitor_ip.ts";
import { forgetLimits, testersLimits } from "../../../platform/limits/forget.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { normalized } from "../../frame/normalized.ts";

const LIST = new Intl.ListFormat("en");

/** Makes room in the limits that someone reaches who tests forms. */
export const limitActions: Action[] = [
  defineAction({
    name: "cfbe_forget_limits",
    title: "Forget rate limits",
    group: "service",
    capability: "operate",
    input: z.object({
      ip: normalized(normalizeIp, "must be an IP address").nullish(),
      email: normalized(normalizeEmail, "must be an email address").nullish(),
    }).refine(({ ip, email }) => ip != null || email != null, {
      path: ["ip"],
      message: "enter an IP address or an email address",
    }),
    target: ({ email }) => email ?? undefined,
    async run({ app }, { ip, email }) {
      const limits = testersLimits(app.policies, {
        ip: ip == null ? undefined : limitSubject(ip),
        mailbox: email == null ? undefined : mailboxOf(email),
      });
      const counts = await forgetLimits(app, limits.map(({ policy }) => policy));
      const forgotten = limits
        .map(({ policy: { name }, counts: [one, many] }, index) => ({
          name,
          one,
          many,
          count: counts[index]!,
        }))
        .filter(({ count }) => count > 0);
      const data = { forgotten: Object.fromEntries(forgotten.map(({ name, count }) => [name, count])) };
      if (forgotten.length === 0) {
        return {
          message: "There was nothing to forget: no request counts at the moment.",
          tone: "warn",
          data,
        };
      }
      const texts = forgotten.map(({ count, one, many }) => counted(count, one, many));
      return {
        message: `Forgotten: ${LIST.format(texts)}.`,
        data,
        changes: forgotten.map(({ name, count }) => ({ path: name, before: String(count), after: "0" })),
      };
    },
  }),
];
