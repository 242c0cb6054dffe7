/**
 * The npm package in a server-rendered React app: packed, installed, type-checked, built, served by Node and used in
 * a browser, with the real server.
 */
import assert from "node:assert/strict";
import { launch } from "../browser.ts";
import { createFormWithEveryField, EVERY_VALUE, fillEveryField } from "../every_field.ts";
import { runProgram } from "../program.ts";
import { createProject, serveProject } from "./react_project.ts";
import { signUp, statusOf, visit, waitForStatus } from "../visitors.ts";

Deno.test(
  "in a React app, a form with fields of every kind is rendered on the server, hydrates without a warning, and signs up",
  { sanitizeOps: false, sanitizeResources: false }, // The browser outlives a step of the sanitizers.
  async () => {
    await using project = await createProject();
    await project.run("npx tsc");
    await project.run("npx vite build --mode development --minify false --outDir dist/client");
    await project.run("npx vite build --ssr server.tsx --outDir dist/server");

    await using program = await runProgram();
    await createFormWithEveryField(program, "footer");
    await using shop = await serveProject(project, `${program.baseUrl}/cfbe.js`);
    const html = await (await fetch(shop.url)).text();
    assert.match(
      html,
      /<cfbe-form form="footer" preload="fields" data-shop="berlin" heading="News"[^>]*><a href="\/subscribe">Subscribe on our page<\/a>/,
    );
    assert.ok(!html.includes('cfbe.js"></script>'), "only the browser loads the script");
    assert.equal(shop.log(), "");

    const browser = await launch();
    try {
      const visitor = await visit(browser, shop.url);
      const { page } = visitor;
      await page.getByRole("heading", { name: "News" }).waitFor();
      await page.getByRole("button", { name: "Rename" }).click();
      await page.getByRole("heading", { name: "More news" }).waitFor();
      await fillEveryField(page);
      await signUp(visitor, "ann@example.com");
      await page.getByText("ready footer, submit, success pending").waitFor();
      await waitForStatus(program, "ann@example.com", "pending");
      const { record } = await statusOf(program, "ann@example.com");
      assert.deepEqual([record.form, record.fields], ["footer", EVERY_VALUE]);

      const form = page.locator("cfbe-form.signup[data-section=footer]");
      assert.equal(await form.count(), 1);
      await page.getByRole("button", { name: "Remove" }).click();
      await form.waitFor({ state: "detached" });
      assert.equal(await page.locator("script[src$='cfbe.js']").count(), 1);
      assert.deepEqual(visitor.console.filter((line) => !line.includes("React DevTools")), []);
    } finally {
      await browser.close();
    }
  },
);
