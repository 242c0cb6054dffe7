/** The steps in which a form is made, by name. */
export const STEPS = {
  design: "Design",
  audience: "Who sees it",
  publish: "Publish",
} as const;

export type Step = keyof typeof STEPS;
