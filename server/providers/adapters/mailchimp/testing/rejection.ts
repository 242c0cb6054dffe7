/** An error response. */
export class Rejection extends Error {
  constructor(readonly status: number, readonly title: string, detail = "See the documentation.") {
    super(detail);
  }
}

export const missing = () =>
  new Rejection(404, "Resource Not Found", "The requested resource could not be found.");
export const invalid = (detail: string) => new Rejection(400, "Invalid Resource", detail);
