import { refusedOriginsText } from "../alerts/refused_origins_text.ts";
import { type Check, finding } from "./finding.ts";

/** Checks that no page outside the allowed origins tries to show a form. */
export const originsCheck: Check = {
  name: "pages with forms are on allowed origins",
  async run({ refusedOrigins }) {
    const found = await refusedOrigins.recent();
    if (found.length === 0) return [];
    const { what, todo } = refusedOriginsText(found.map(({ origin }) => origin));
    return [finding("warning", "origins.refused", {
      what,
      why: "Browsers show no form on these pages, only the content of its element.",
      todo,
    })];
  },
};
