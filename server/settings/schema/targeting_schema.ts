import { z } from "zod";
import {
  type ConditionKind,
  DAYS,
  MAX_CONDITIONS,
  MAX_GROUPS,
  MAX_VALUE,
  NUMBER_MATCHES,
  PARAMETER_MATCHES,
  TEXT_MATCHES,
  UTM_TARGETS,
} from "../../../shared/targeting.ts";
import { timeZone } from "./time_zone.ts";

/** The settings of a form's targeting: the pages and visitors that it is meant for. */

const textOrEmpty = z.string("must be a text").trim()
  .max(MAX_VALUE, `must be ${MAX_VALUE} characters or less`);
const value = textOrEmpty.min(1, "must not be empty");
const not = z.boolean().default(false);
const match = z.enum(TEXT_MATCHES);
const text = { match, value, not };
const numberUpTo = (max: number) =>
  z.number("must be a number").min(0, "must not be negative").max(max, `must be ${max} or less`);
const number = (max: number) => ({
  match: z.enum(NUMBER_MATCHES),
  value: numberUpTo(max).int("must be a whole number"),
  not,
});
const time = z.string("must be a time").regex(
  /^([01]\d|2[0-3]):[0-5]\d$/,
  "must be a time such as 09:00 or 17:30",
);
const host = value.regex(
  /^(\*|[\p{L}\p{N}-]+)(\.(\*|[\p{L}\p{N}-]+))*$/u,
  "must be a host such as google.com, without https:// and path",
).regex(/[^*.]/, "must have at least one label that is not *");
const path = z.strictObject({ kind: z.literal("path"), ...text }).refine(
  ({ match, value }) => match === "contains" || value.startsWith("/"),
  { path: ["value"], message: "must start with /" },
);

/** A condition on a parameter: one that it exists has no value. */
const parameter = <Kind extends "query" | "utm", Name extends z.ZodType>(kind: Kind, name: Name) =>
  z.strictObject({
    kind: z.literal(kind),
    name,
    match: z.enum(PARAMETER_MATCHES),
    value: textOrEmpty.default(""),
    not,
  }).overwrite((condition) => condition.match === "exists" ? { ...condition, value: "" } : condition)
    .refine(({ match, value }) => match === "exists" || value !== "", {
      path: ["value"],
      message: "must not be empty",
    });

const CONDITIONS = {
  path,
  query: parameter("query", value),
  utm: parameter("utm", z.enum(UTM_TARGETS)),
  referrer: z.strictObject({ kind: z.literal("referrer"), value: host, not }),
  width: z.strictObject({ kind: z.literal("width"), ...number(100_000) }),
  language: z.strictObject({
    kind: z.literal("language"),
    value: value.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language such as de or pt-BR"),
    not,
  }),
  visitor: z.strictObject({ kind: z.literal("visitor"), value: z.enum(["new", "returning"]), not }),
  pages: z.strictObject({ kind: z.literal("pages"), ...number(1000) }),
  time: z.strictObject({
    kind: z.literal("time"),
    days: z.array(z.enum(DAYS)).min(1, "must have at least one day").max(DAYS.length),
    from: time.default("00:00"),
    to: time.default("00:00"),
    /** Absent for the site's time zone. */
    timeZone: timeZone.optional(),
    not,
  }),
  cartTotal: z.strictObject({
    kind: z.literal("cartTotal"),
    match: z.enum(NUMBER_MATCHES),
    value: numberUpTo(1e9),
    not,
  }),
  cartItem: z.strictObject({ kind: z.literal("cartItem"), ...text }),
} satisfies Record<ConditionKind, z.ZodType>;

export const CONDITION_KINDS = Object.keys(CONDITIONS) as ConditionKind[];

const condition = z.discriminatedUnion(
  "kind",
  Object.values(CONDITIONS) as [typeof path, ...(typeof CONDITIONS)[ConditionKind][]],
  { error: `must be one of: ${CONDITION_KINDS.join(", ")}` },
);

/** Groups of conditions. */
export const targeting = z.array(z.strictObject({
  conditions: z.array(condition)
    .min(1, "must have at least one condition: add one, or remove the group")
    .max(MAX_CONDITIONS, `must have at most ${MAX_CONDITIONS} conditions`),
})).max(MAX_GROUPS, `must have at most ${MAX_GROUPS} groups`);
