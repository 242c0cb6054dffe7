/** The steps in which a form is made, by name. None has the name of a button beside them. */
export const STEPS = {
  design: "Design",
  audience: "Who sees it",
  publish: "On your site",
} as const;

export type Step = keyof typeof STEPS;
