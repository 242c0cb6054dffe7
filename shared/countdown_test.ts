import assert from "node:assert/strict";
import { longTimesLeft, timeLeft, timeLeftText } from "./countdown.ts";
import { LOCALES } from "./texts/locales.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const END = Date.UTC(2026, 11, 1);

const shown = (left: number, inSeconds = true) => {
  const found = timeLeft(END, END - left, inSeconds);
  return found && [timeLeftText("en", found.units), found.next];
};

Deno.test("a countdown shows the time left without leading zeros, and changes with each second", () => {
  assert.deepEqual(shown(3 * DAY + 61 * MINUTE + 5 * SECOND), ["3 days 1 hr 1 min 5 sec", SECOND]);
  assert.deepEqual(shown(DAY), ["1 day 0 hr 0 min 0 sec", SECOND]);
  assert.deepEqual(shown(MINUTE - 1), ["1 min 0 sec", SECOND - 1]);
  assert.deepEqual(shown(1500), ["2 sec", 500]);
});

Deno.test("a countdown without seconds changes with each minute", () => {
  assert.deepEqual(shown(DAY - 1, false), ["1 day 0 hr 0 min", MINUTE - 1]);
  assert.deepEqual(shown(90 * SECOND, false), ["2 min", 30 * SECOND]);
  assert.deepEqual(shown(1, false), ["1 min", 1]);
});

Deno.test("a countdown never shows zero, and is over at its end", () => {
  assert.deepEqual(shown(1), ["1 sec", 1]);
  assert.deepEqual([shown(0), shown(-1), shown(0, false)], [undefined, undefined, undefined]);
});

Deno.test("a countdown has the units of the page's language", () => {
  assert.equal(timeLeftText("de", [["minute", 2], ["second", 1]]), "2 Min. 1 Sek.");
});

const longest = (locale: string, left: number) =>
  Math.max(...longTimesLeft(locale, END, END - left).map(({ length }) => length));

Deno.test("the long texts of a countdown have no more digits than it still shows, and there are none once it is over", () => {
  assert.equal(longest("en", 9 * DAY), "9 days 11 hr 11 min 11 sec".length);
  assert.equal(longest("en", DAY), "1 day 11 hr 11 min 11 sec".length);
  assert.equal(longest("en", 5 * MINUTE), "5 min 11 sec".length);
  assert.equal(longest("en", 26_668 * DAY), "26,668 days 11 hr 11 min 11 sec".length);
  assert.deepEqual(longTimesLeft("en", END, END), []);
});

for (const locale of LOCALES) {
  Deno.test(`no text that a countdown shows is longer than its long texts: ${locale}`, () => {
    for (const days of [1, 12, 113]) {
      const first = days * DAY + 17 * HOUR;
      const most = longest(locale, first);
      for (let left = first; left > 0; left -= days * HOUR + 13 * MINUTE + 7 * SECOND) {
        const shown = timeLeftText(locale, timeLeft(END, END - left, true)!.units);
        assert.ok(shown.length <= most, `${shown}, ${days} days`);
      }
    }
  });
}
