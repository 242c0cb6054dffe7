/** Pixels as RGBA, four bytes each, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/**
 * Returns an image that fits into a square, by averaging the pixels that become one. Returns the image itself if it fits.
 *
 * @param maxSide longest side of the result, in pixels
 */
export function shrink(image: Pixels, maxSide: number): Pixels {
  const scale = maxSide / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = rangeOf(y, image.height / height, image.height);
    for (let x = 0; x < width; x++) {
      average(image, rangeOf(x, image.width / width, image.width), rows, data, (y * width + x) * 4);
    }
  }
  return { data, width, height };
}

type Range = readonly [from: number, to: number];

function rangeOf(index: number, step: number, end: number): Range {
  const from = Math.floor(index * step);
  return [from, Math.min(Math.max(Math.floor((index + 1) * step), from + 1), end)];
}

/** Writes the average of some pixels. Transparent ones add no color. */
function average(
  { data, width }: Pixels,
  columns: Range,
  rows: Range,
  target: Uint8ClampedArray,
  at: number,
): void {
  let red = 0, green = 0, blue = 0, opacity = 0, count = 0;
  for (let y = rows[0]; y < rows[1]; y++) {
    for (let x = columns[0]; x < columns[1]; x++) {
      const from = (y * width + x) * 4;
      const alpha = data[from + 3]!;
      red += data[from]! * alpha;
      green += data[from + 1]! * alpha;
      blue += data[from + 2]! * alpha;
      opacity += alpha;
      count++;
    }
  }
  if (opacity === 0) return;
  target[at] = red / opacity;
  target[at + 1] = green / opacity;
  target[at + 2] = blue / opacity;
  target[at + 3] = opacity / count;
}
