import assert from "node:assert/strict";
import { startProgram } from "../testing/program.ts";
import { loadLists } from "./lists.ts";

Deno.test("loaded lists become the known ones, with their opt-in, and say what came and what went", async () => {
  await using program = await startProgram({ run: false });
  const { settings } = program.services;
  await settings.save("general", { knownLists: [{ id: "old", name: "Old", doubleOptIn: true }] });
  const loaded = await loadLists(program.services);
  assert.ok(loaded.kind === "loaded");
  assert.deepEqual([loaded.added.toSorted(), loaded.removed], [["Newsletter", "Single opt-in"], ["Old"]]);
  assert.deepEqual(
    settings.current().general.knownLists.map(({ name, doubleOptIn }) => [name, doubleOptIn]).toSorted(),
    [["Newsletter", true], ["Single opt-in", false]],
  );
  assert.deepEqual(loaded.missing, []);
});

Deno.test("a chosen list that the provider does not have is named with where it was chosen", async () => {
  await using program = await startProgram({ run: false });
  await program.services.settings.save("popup", { list: "gone" });
  await program.services.settings.save("forms", { forms: [{ name: "footer", list: "gone" }] });
  const loaded = await loadLists(program.services);
  assert.deepEqual(loaded.kind === "loaded" && loaded.missing, [{
    id: "gone",
    where: ["popup.list", "form footer"],
  }]);
});

Deno.test("lists that the config file fixes are shown, not saved, and the report says so", async () => {
  const knownLists = [{ id: "l", name: "From the file", doubleOptIn: true }];
  await using program = await startProgram({ run: false, file: { settings: { general: { knownLists } } } });
  const loaded = await loadLists(program.services);
  assert.ok(loaded.kind === "loaded");
  assert.deepEqual([loaded.fixedBy, loaded.lists.length], ["config file", 2]);
  assert.deepEqual(program.services.settings.current().general.knownLists, knownLists);
});

Deno.test("a provider that is down changes no known list", async () => {
  await using program = await startProgram({ run: false });
  const { settings } = program.services;
  const before = settings.current().general.knownLists;
  await settings.save("general", { apiKey: "wrong" });
  assert.equal((await loadLists(program.services)).kind, "trouble");
  assert.deepEqual(settings.current().general.knownLists, before);
});
