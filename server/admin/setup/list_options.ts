import type { Option } from "../parts/field.tsx";
import type { View } from "../frame/view.ts";

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
