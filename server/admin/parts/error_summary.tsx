import { createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { render } from "preact-render-to-string";
import { Notice } from "./notice.tsx";

/** The error of a field on the page. */
export interface FieldError {
  /** ID of the element that the user has to change, or of the button that lets them change it. */
  id: string;
  label: string;
  message: string;
}

/** Title of the row of a list that the fields below belong to, such as `Company (Text)`. */
export const RowTitle = createContext<string | undefined>(undefined);

const Collected = createContext<FieldError[] | undefined>(undefined);

/** Returns the errors of all fields of a page, in its order. Only rendering shows which fields a page has. */
export function fieldErrorsOf(page: VNode): FieldError[] {
  const collected: FieldError[] = [];
  render(<Collected.Provider value={collected}>{page}</Collected.Provider>);
  return collected;
}

/** Lists a field's error, if it has one, in the summary of its page, with the row of a list that it belongs to. */
export function useErrorSummary(
  { id, label, message }: Omit<FieldError, "message"> & { message?: string | undefined },
): void {
  const collected = useContext(Collected);
  const row = useContext(RowTitle);
  if (message !== undefined) collected?.push({ id, label: row ? `${row}, ${label}` : label, message });
}

/** Why an action was not done, with links to the fields to correct. Takes the focus when the page opens. */
export function ErrorSummary(
  { message, errors, elsewhere = [], focus = true }: {
    message: string;
    errors: readonly FieldError[];
    /** Messages of errors that no field on the page shows. */
    elsewhere?: readonly string[];
    focus?: boolean;
  },
): VNode {
  return (
    <div role="alert" tabIndex={-1} autofocus={focus}>
      <Notice kind="bad">
        {message}
        {errors.length + elsewhere.length > 0 && (
          <ul>
            {errors.map(({ id, label, message }) => (
              <li key={id}>
                <a href={`#${id}`}>{label}</a>: {message}
              </li>
            ))}
            {elsewhere.map((text) => <li key={text}>{text}</li>)}
          </ul>
        )}
      </Notice>
    </div>
  );
}
