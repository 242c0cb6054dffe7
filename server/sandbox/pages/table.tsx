import type { VNode } from "preact";

/**
 * Renders a table that scrolls sideways on narrow screens.
 *
 * @param labelledBy ID of the table's heading
 * @param rows the `tr` elements of the body
 */
export function table(labelledBy: string, columns: readonly string[], rows: VNode[]): VNode {
  return (
    <div class="scroll" tabindex={0} role="region" aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>{columns.map((column) => <th key={column} scope="col">{column}</th>)}</tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}
