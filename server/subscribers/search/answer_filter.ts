import type { FieldValue, FieldValues } from "../../../shared/fields/kinds.ts";

/** How a search compares an answer. The last two need no value. */
export const ANSWER_OPERATORS = [
  "is",
  "contains",
  "at_least",
  "at_most",
  "answered",
  "unanswered",
] as const;
export type AnswerOperator = typeof ANSWER_OPERATORS[number];

/** A filter by the answer to a field. */
export interface AnswerFilter {
  /** Name of the field. */
  field: string;
  operator: AnswerOperator;
  /** Missing where the operator needs none. */
  value?: string | undefined;
}

/** The members of the search form that make up the filter. Their values are untrusted input. */
export interface TypedAnswer {
  field: string;
  operator: string;
  answer: string;
}

export type ParsedAnswer =
  | { kind: "none" }
  | { kind: "filter"; filter: AnswerFilter }
  | { kind: "problem"; on: keyof TypedAnswer; problem: string };

const MAX_FIELD_LENGTH = 64;
const NUMBER = /^-?\d{1,15}([.,]\d{1,9})?$/;
const DATE = /^(\d{4}-)?\d\d-\d\d$/;

/** Parses a filter by an answer. Without an operator, it asks for the answer if there is one, and otherwise for any. */
export function parseAnswer({ field, operator, answer }: TypedAnswer): ParsedAnswer {
  const problem = (on: keyof TypedAnswer, problem: string): ParsedAnswer => ({
    kind: "problem",
    on,
    problem,
  });
  if (field === "") {
    const isEmpty = operator === "" && answer === "";
    return isEmpty ? { kind: "none" } : problem("field", "Choose the field that the answer is for.");
  }
  if (field.length > MAX_FIELD_LENGTH || !field.isWellFormed()) {
    return problem("field", "There is no field with this name.");
  }
  const chosen = operator === "" ? (answer === "" ? "answered" : "is") : operator;
  const known = ANSWER_OPERATORS.find((each) => each === chosen);
  if (!known) return problem("operator", `Choose one of: ${ANSWER_OPERATORS.join(", ")}.`);
  if (known === "answered" || known === "unanswered") {
    return { kind: "filter", filter: { field, operator: known } };
  }
  if (answer === "") return problem("answer", "Enter the answer to search for.");
  if (!answer.isWellFormed()) return problem("answer", "Answers cannot contain these characters.");
  const isOrdered = known === "at_least" || known === "at_most";
  if (isOrdered && !NUMBER.test(answer) && !DATE.test(answer)) {
    return problem(
      "answer",
      "Enter a number such as 4.5, or a date such as 2000-07-14, or 07-14 for birthdays.",
    );
  }
  return { kind: "filter", filter: { field, operator: known, value: answer } };
}

/** Returns whether the answers of a signup match. Letter case does not matter; one of several options is enough. */
export function matchesAnswer(
  { field, operator, value = "" }: AnswerFilter,
  answers: FieldValues | undefined,
): boolean {
  const answer = answers && Object.hasOwn(answers, field) ? answers[field] : undefined;
  if (operator === "unanswered") return answer === undefined;
  if (answer === undefined) return false;
  switch (operator) {
    case "answered":
      return true;
    case "is":
      return typeof answer === "number"
        ? answer === numberOf(value)
        : textsOf(answer).some((text) => folded(text) === folded(value));
    case "contains":
      return textsOf(answer).some((text) => folded(text).includes(folded(value)));
    case "at_least":
      return order(answer, value) >= 0;
    case "at_most":
      return order(answer, value) <= 0;
  }
}

/** Returns the texts that a search can find. A checkbox has its stored value and the word that pages show. */
function textsOf(answer: FieldValue): string[] {
  if (answer === true) return ["yes", "true"];
  return Array.isArray(answer) ? answer : [String(answer)];
}

const folded = (text: string) => text.normalize("NFC").toLowerCase();

/** Returns the number in a text, with a point or a comma; NaN if it is none. */
const numberOf = (text: string) => NUMBER.test(text) ? Number(text.replace(",", ".")) : NaN;

/** Returns a negative, zero or positive number as the answer is before, at or after the value; NaN if they differ in kind. */
function order(answer: FieldValue, value: string): number {
  if (typeof answer === "number") return answer - numberOf(value);
  // A date with a year and one without have no order.
  const areDates = typeof answer === "string" && DATE.test(answer) && DATE.test(value) &&
    answer.length === value.length;
  return areDates ? (answer < value ? -1 : answer === value ? 0 : 1) : NaN;
}
