/** Returns the least number of characters to insert, delete, replace or swap with the next that turns one text into the other. */
export function edits(from: string, to: string): number {
  return lastRow(from, to).at(-1)!;
}

/** Returns the edits that turn `typed` into the start of a text. */
export function editsToStart(typed: string, text: string): number {
  return Math.min(...lastRow(typed, text));
}

/** Returns the edits that turn `from` into each start of `to`, the empty one first. */
function lastRow(from: string, to: string): number[] {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      const swapped = isSwap ? before[column - 2]! + 1 : Infinity;
      current.push(Math.min(replaced, swapped, above[column]! + 1, current[column - 1]! + 1));
    }
    [before, above] = [above, current];
  }
  return above;
}
