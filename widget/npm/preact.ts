/** `import "cfbe/preact"`: adds `<cfbe-form>` to Preact's JSX types. Has no effect at run time. */
import type { HTMLAttributes } from "preact";
import type { FormOptions } from "../src/types.ts";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "cfbe-form": Omit<HTMLAttributes<HTMLElement>, keyof FormOptions> & FormOptions;
    }
  }
}
