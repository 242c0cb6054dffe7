import type { View } from "../frame/view.ts";

/** Returns the name of a list, or its ID if the list has not been loaded. */
export function listName({ app }: Pick<View, "app">, list: string): string {
  return app.settings.current().general.knownLists.find(({ id }) => id === list)?.name ?? list;
}
