/**
 * The part of `selenium-webdriver` that the tests use.
 *
 * `@types/selenium-webdriver` brings types of Node that are newer than Deno's own and would replace them in every file.
 */
export interface WebElement {
  getTagName(): Promise<string>;
}

export interface Actions {
  sendKeys(...keys: string[]): Actions;
  move(to: { origin: WebElement }): Actions;
  click(): Actions;
  perform(): Promise<void>;
}

export interface WebDriver {
  get(url: string): Promise<void>;
  executeScript<T>(script: string): Promise<T>;
  actions(): Actions;
  manage(): { window(): { setRect(size: { width: number; height: number }): Promise<unknown> } };
  /** Returns the window's picture as base64 of a PNG. */
  takeScreenshot(): Promise<string>;
  quit(): Promise<void>;
}

export class Builder {
  usingServer(url: string): Builder;
  withCapabilities(capabilities: Record<string, unknown>): Builder;
  build(): Promise<WebDriver>;
}

export const Key: Readonly<Record<"TAB" | "ESCAPE" | "ENTER", string>>;
