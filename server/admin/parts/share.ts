/** Returns a share in percent, at most 100, with one decimal below ten percent. */
export function share(part: number, whole: number): string {
  const percent = Math.min(100, part / whole * 100);
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)}%`;
}
