/** Size of an image, in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Returns the size that the ID of an image contains, such as `Zk3…-1200x630`. */
export function sizeOfImage(id: string): ImageSize {
  const [width, height] = id.slice(id.lastIndexOf("-") + 1).split("x");
  return { width: Number(width), height: Number(height) };
}

/** Returns the path of an image, below the server's root. */
export function imagePath(id: string): string {
  return `/cfbe-image/${id}.webp`;
}
