import type { Option } from "./field.tsx";
import type { View } from "../frame/view.ts";

/** Returns the name of a list, or its ID if the list has not been loaded. */
export function listName({ app }: Pick<View, "app">, list: string): string {
  return app.settings.current().general.knownLists.find(({ id }) => id === list)?.name ?? list;
}

/** Returns the loaded lists as options. @param none label of the option for no list */
export function listOptions({ app }: View, none: string): Option[] {
  const { knownLists } = app.settings.current().general;
  return [
    { value: "", label: none },
    ...knownLists.map(({ id, name, doubleOptIn }) => ({
      value: id,
      label: `${name}${doubleOptIn === false ? " (no double opt-in)" : ""}`,
    })),
  ];
}
