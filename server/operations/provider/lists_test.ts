import assert from "node:assert/strict";
import { startProgram } from "../../../dev/testing/program.ts";
import { loadLists } from "./lists.ts";

Deno.test("loaded lists are saved with their opt-in setting, and new and deleted lists are reported", async () => {
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

Deno.test("a list that the provider does not have is reported with the settings that use it", async () => {
  await using program = await startProgram({ run: false });
  await program.services.settings.save("popup", { list: "gone" });
  await program.services.settings.save("forms", { forms: [{ name: "footer", list: "gone" }] });
  const loaded = await loadLists(program.services);
  assert.deepEqual(loaded.kind === "loaded" && loaded.missing, [{
    id: "gone",
    where: ["popup.list", "form footer"],
  }]);
});

Deno.test("when the config file fixes the known lists, loaded lists are shown but not saved", async () => {
  const knownLists = [{ id: "l", name: "From the file", doubleOptIn: true }];
  await using program = await startProgram({ run: false, file: { settings: { general: { knownLists } } } });
  const loaded = await loadLists(program.services);
  assert.ok(loaded.kind === "loaded");
  assert.deepEqual([loaded.fixedBy, loaded.lists.length], ["config file", 2]);
  assert.deepEqual(program.services.settings.current().general.knownLists, knownLists);
});

Deno.test("a provider error leaves the known lists unchanged", async () => {
  await using program = await startProgram({ run: false });
  const { settings } = program.services;
  const before = settings.current().general.knownLists;
  const faulty = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mode: "500" }),
  });
  assert.ok(faulty.ok, await faulty.text());
  assert.equal((await loadLists(program.services)).kind, "trouble");
  assert.deepEqual(settings.current().general.knownLists, before);
});
