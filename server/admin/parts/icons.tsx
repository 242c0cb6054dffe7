import type { VNode } from "preact";
import { type IconName, SHAPES } from "../frame/icon_shapes.ts";

/** An outline in the color of the surrounding text. Hidden from screen readers: the text beside it carries the meaning. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: SHAPES[name] }}
    />
  );
}
