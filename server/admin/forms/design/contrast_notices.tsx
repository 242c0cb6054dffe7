import type { VNode } from "preact";
import type { ContrastFinding } from "../../../../shared/design/palette.ts";
import { COLOR_LABELS, contrastText } from "../../frame/contrast.ts";
import { Notice } from "../../parts/notice.tsx";
import { Swatch } from "./design_sample.tsx";

/** Where the design is in the input of the actions that save it. */
export const DESIGN_AT = "fields.design";

/**
 * The colors that are hard to read, each with a button that fills in the nearest readable one.
 *
 * @param props.mayFix whether the user can change the value at a path
 */
export function ContrastNotices(
  { findings, mayFix }: { findings: readonly ContrastFinding[]; mayFix: (path: string) => boolean },
): VNode {
  return (
    <>
      {findings.map((finding) => {
        const { member, color, scheme, nearest } = finding;
        const path = `${DESIGN_AT}.${member}`;
        return (
          <Notice key={member} kind="warn">
            <p>{contrastText(finding)}</p>
            {mayFix(path) && (
              <button
                type="submit"
                class="finding"
                name="_fill"
                value={`${path}=${nearest}`}
                formnovalidate
              >
                <Swatch color={nearest} /> Use {nearest}
                <span class="hidden">for {COLOR_LABELS[color]}, {scheme}</span>
              </button>
            )}
          </Notice>
        );
      })}
    </>
  );
}
