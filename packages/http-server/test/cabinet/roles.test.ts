/** Each role in a real browser: what it may not do is not shown, is closed at its address, and is refused. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld } from "../support/cabinet.ts"
import { as, join, logIn, outcomeOf } from "../support/people.ts"

/** The sections of each, those whose addresses are closed to it, and calls that it is refused, with what they send. */
const roles = {
  accountant: {
    ways: [
      "Overview",
      "Invoices",
      "Payment links",
      "Subscriptions",
      "Reports",
      "Refunds",
      "Reconciliation",
      "Cashiers",
      "Form hooks",
      "Tariff",
      "Notifications"
    ],
    closed: ["charge", "bulk", "webhooks", "developers", "clients"],
    refused: [
      ["GET", "clients", undefined],
      ["POST", "invoices", { amount: 100 }],
      ["POST", "bulk", { invoices: [{ amount: 100 }] }],
      ["POST", "bulk/check", { content: "" }],
      ["PATCH", "profile", { name: "Mine" }]
    ]
  },
  cashier: {
    ways: ["Overview", "Charge", "Invoices", "From a file", "Reports", "Refunds", "Cashiers", "Notifications"],
    closed: ["keys", "team", "reconciliation", "links", "forms", "tariff"],
    refused: [
      ["GET", "reconciliation", undefined],
      ["GET", "form-hooks", undefined],
      ["GET", "bills", undefined],
      ["POST", "api-keys", { name: "Mine", scopes: ["invoices:read"] }],
      ["POST", "archive", {}]
    ]
  },
  developer: {
    ways: [
      "Overview",
      "Charge",
      "Invoices",
      "From a file",
      "Payment links",
      "Subscriptions",
      "Reports",
      "Refunds",
      "Cashiers",
      "API keys",
      "Form hooks",
      "Webhooks",
      "Developers",
      "Notifications"
    ],
    closed: ["team", "settings", "tariff"],
    refused: [
      ["GET", "members", undefined],
      ["PATCH", "mode", { mode: "live" }]
    ]
  },
  manager: {
    ways: [
      "Overview",
      "Charge",
      "Invoices",
      "From a file",
      "Payment links",
      "Subscriptions",
      "Reports",
      "Refunds",
      "Reconciliation",
      "Cashiers",
      "Team",
      "Form hooks",
      "Webhooks",
      "Developers",
      "Tariff",
      "Settings",
      "Notifications"
    ],
    closed: ["keys", "journal"],
    refused: [
      ["GET", "api-keys", undefined],
      ["POST", "archive", {}]
    ]
  }
} as const

describe.skipIf(chromiumPath === null)(`roles in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  it("shows each role what it may do, and nothing else", async () => {
    const { service, organizationId, enter, make } = world
    const id = await make(4000, "paid")
    for (const [index, role] of (["accountant", "cashier", "developer", "manager"] as const).entries()) {
      const { ways, closed, refused } = roles[role]
      const person = await logIn(service, `7701555020${index}`)
      await join(service, organizationId, person, role)
      const visitor = await enter(person, organizationId, { width: 1280 })
      const { page } = visitor
      const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link")
      await links.first().waitFor()
      const names = (await links.allTextContents()).filter((name) => name !== "More")
      expect([role, names]).toEqual([role, ways])
      const band = page.getByRole("complementary", { name: "Mode" })
      await expect.poll(() => band.getByRole("button", { name: "Go live" }).count()).toBe(role === "manager" ? 1 : 0)
      await page.goto(`${service.url}/cabinet/${organizationId}/invoices/${id}`)
      await page.getByRole("heading", { name: /^Invoice of/ }).waitFor()
      const refunds = await page.getByRole("button", { name: "Give money back" }).count()
      expect([role, refunds]).toEqual([role, role === "accountant" ? 0 : 1])
      for (const section of closed) {
        await page.goto(`${service.url}/cabinet/${organizationId}/${section}`)
        await page.getByText("Your role lacks the right to this action.").waitFor()
      }
      for (const [method, path, body] of refused) {
        const answer = await as(service, person, method, `/panel/orgs/${organizationId}/${path}`, body)
        expect([role, path, outcomeOf(answer)]).toEqual([role, path, "403 insufficient_role"])
      }
      expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
      await visitor.close()
    }
  })
})
