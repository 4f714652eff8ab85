import { Tiyn } from "@tolem/core/value/Money"
import { money } from "@tolem/core/value/MoneyText"
import { startAt } from "@tolem/testing/fixtures"
import { describe, expect, it } from "vitest"
import { instant } from "../../src/pages/Formats.ts"
import { choose } from "../../src/pages/Language.ts"
import { appLink, webLink } from "../../src/pages/Links.ts"

describe("the language", () => {
  it("is Kazakh unless the visitor prefers another that the pages speak", () => {
    expect(choose(undefined, undefined)).toBe("kk")
    expect(choose(undefined, "de-DE,fr;q=0.9,*;q=0.1")).toBe("kk")
    expect(choose(undefined, "ru-RU,ru;q=0.9,en;q=0.8")).toBe("ru")
    expect(choose(undefined, "de, en;q=0.5 , ru ; q=0.7")).toBe("ru")
    expect(choose(undefined, "EN-us")).toBe("en")
    expect(choose(undefined, "en,ru")).toBe("en")
  })

  it("is never one that the visitor excludes, nor read from nonsense", () => {
    expect(choose(undefined, "ru;q=0, en;q=0.001")).toBe("en")
    for (const nonsense of [
      "",
      ";",
      ",,,",
      "ru;q=",
      "ru;q=2",
      "ru;q=x",
      "русский",
      "ru en",
      "q=1",
      `ru${"-a".repeat(9)} x`
    ]) {
      expect(choose(undefined, nonsense)).toBe("kk")
    }
  })

  it("is the one asked for, where there is such a one", () => {
    expect(choose("en", "ru")).toBe("en")
    expect(choose("kk", "ru")).toBe("kk")
    for (const strange of ["", "de", "EN", "__proto__", "<b>"]) expect(choose(strange, "ru")).toBe("ru")
  })
})

describe("amounts", () => {
  it("are grouped by thousands, with both decimals if there are tiyn, and do not break", () => {
    expect(money(Tiyn(150_000))).toBe("1\u00a0500\u00a0₸")
    expect(money(Tiyn(0))).toBe("0\u00a0₸")
    expect(money(Tiyn(5))).toBe("0,05\u00a0₸")
    expect(money(Tiyn(99_990))).toBe("999,90\u00a0₸")
    expect(money(Tiyn(9_999_999_999))).toBe("99\u00a0999\u00a0999,99\u00a0₸")
  })
})

describe("instants", () => {
  it("are Almaty's day and minute in the words of the language", () => {
    const evening = startAt - 5 * 3_600_000 + 61_000 // 2025-12-31T19:01:01Z is the new year in Almaty already
    expect(instant(evening, "kk")).toMatch(/2026.*қаңтар.*00:01/)
    expect(instant(evening, "ru")).toMatch(/^1 января 2026.*00:01/)
    expect(instant(evening, "en")).toMatch(/^1 January 2026.*00:01/)
  })
})

describe("links", () => {
  it("to the web are http or https, in their normal form", () => {
    expect(webLink("https://shop.kz/a?b=c#d")).toBe("https://shop.kz/a?b=c#d")
    expect(webLink("http://shop.kz")).toBe("http://shop.kz/")
    expect(webLink('https://shop.kz/"><script>')).toBe("https://shop.kz/%22%3E%3Cscript%3E")
    for (const other of [null, "", "shop.kz", "javascript:alert(1)", "app://x", "data:text/html,x", "//shop.kz"]) {
      expect(webLink(other)).toBeNull()
    }
  })

  it("to apps may have a scheme of the app, and none that a browser acts on", () => {
    expect(appLink("tolem-sandbox://pay/inv_1")).toBe("tolem-sandbox://pay/inv_1")
    expect(appLink("https://pay.kz/x")).toBe("https://pay.kz/x")
    const refused = [
      null,
      "",
      "pay/inv_1",
      "app:pay",
      "javascript:alert(1)",
      "javascript://x/%0aalert(1)",
      "JaVaScRiPt://x/%0aalert(1)",
      " java\nscript://x/%0aalert(1)",
      "vbscript://x",
      "data:text/html,<script>alert(1)</script>",
      "data://text/html,x",
      "file:///etc/hosts",
      "blob:https://x/y",
      "view-source://x"
    ]
    for (const address of refused) expect(appLink(address), String(address)).toBeNull()
  })
})
