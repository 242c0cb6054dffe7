import assert from "node:assert/strict";
import { isLocalRequest } from "./local_request.ts";

const local = (headers: Record<string, string>, peer?: string) => isLocalRequest(new Headers(headers), peer);

Deno.test("a request is local if a program on this machine sent it directly to a loopback name", () => {
  for (const peer of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"]) {
    for (const host of ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"]) {
      assert.ok(local({ host }, peer), `${host} from ${peer}`);
    }
  }
});

Deno.test("a request from elsewhere, through a proxy or to another name is not local", () => {
  const host = "localhost:8000";
  for (const peer of ["192.0.2.1", "10.0.0.1", "2001:db8::1", "", undefined]) {
    assert.ok(!local({ host }, peer), `from ${peer}`);
  }
  for (const name of ["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "forwarded"]) {
    assert.ok(!local({ host, [name]: "127.0.0.1" }, "127.0.0.1"), name);
  }
  for (const host of ["attacker.example", "127.0.0.1.attacker.example", "a b", ""]) {
    assert.ok(!local({ host }, "127.0.0.1"), host);
  }
  assert.ok(!local({}, "127.0.0.1"), "without a Host");
});
