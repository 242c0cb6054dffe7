/** `import "cfbe/preact"`: lets Preact's JSX know `<cfbe-form>`. It is types alone, and does nothing when it runs. */
import type { HTMLAttributes } from "preact";
import type { FormOptions } from "../src/types.ts";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "cfbe-form": Omit<HTMLAttributes<HTMLElement>, keyof FormOptions> & FormOptions;
    }
  }
}
