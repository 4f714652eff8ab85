/** The screens of the cabinet, as a picture is taken of each. */

import type { Visitor } from "@tolem/testing-harness/Browser"

type Page = Visitor["page"]

/** A screen. */
export interface Screen {
  readonly name: string
  /** Under `/cabinet/`. */
  readonly path: string
  /** Whether it is for a person who is logged in. */
  readonly isInside: boolean
  /** Whether that is one who runs the platform; absent: the owner of the shop. */
  readonly isOperator?: true
  /** Comes to the state that the picture is of. */
  readonly settle: (page: Page) => Promise<unknown>
}

/** Goes to the step of the code. */
const toCode = async (page: Page): Promise<void> => {
  await page.locator('input[type="tel"]').fill(`70${Math.floor(Math.random() * 89_999_999) + 10_000_000}`)
  await page.locator('button[type="submit"]').click()
  await page.locator('input[autocomplete="one-time-code"]').waitFor()
}

/** Everything is read. The streams of changes never end, so that there is no quiet on the wire to wait for. */
export const quiet = async (page: Page): Promise<void> => {
  await page.locator("h1, form").first().waitFor()
  const waiting = page.locator('[aria-busy="true"], [aria-hidden="true"][class*="skeleton"]')
  await waiting.first().waitFor({ state: "detached" })
}

/** The code is drawn; the stream of an open payment never ends, so that there is no quiet to wait for. */
const toCodeImage = (page: Page) =>
  page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))).then(() => 1)")

/** Goes to the first invoice of the list. */
const toInvoice = async (page: Page): Promise<void> => {
  await page.locator("tbody a").first().click()
  await page.locator("main ol li").first().waitFor()
}

/** What needs attention is read, and the chart below it is drawn. */
const toAttention = async (page: Page): Promise<void> => {
  await quiet(page)
  await page.locator("main li[data-severity]").first().waitFor()
  await page.locator("main figure canvas").waitFor()
}

/** Adds an address that no one answers at, if there is none yet; goes to it, and sends it a test. */
const toEndpoint = async (page: Page): Promise<void> => {
  const first = page.locator("main li a").filter({ hasText: "localhost:9" }).first()
  await page.locator("main h2").first().waitFor()
  if ((await first.count()) === 0) {
    await page.locator("main header button").click()
    await page.locator('dialog input[type="url"]').fill("http://localhost:9/hooks")
    await page.keyboard.press("Enter")
    await page.locator("dialog output").waitFor()
    await page.keyboard.press("Escape")
  }
  await first.click()
  await page.locator('main [class*="actions"] button').first().click()
  await page.locator('main [role="status"]').getByText(/ms|мс/).first().waitFor()
}

/** Every screen. */
export const screens: ReadonlyArray<Screen> = [
  { name: "login", path: "", isInside: false, settle: quiet },
  { name: "join", path: "join?ref=MARAT7", isInside: false, settle: quiet },
  { name: "code", path: "", isInside: false, settle: toCode },
  {
    name: "wrong",
    path: "",
    isInside: false,
    settle: async (page) => {
      await toCode(page)
      await page.locator('input[autocomplete="one-time-code"]').fill("000000")
      await page.getByRole("alert").waitFor()
    }
  },
  { name: "welcome", path: "welcome", isInside: true, settle: quiet },
  { name: "home", path: "", isInside: true, settle: quiet },
  { name: "charge", path: "org_demo/charge", isInside: true, settle: quiet },
  {
    name: "offer",
    path: "org_demo/charge",
    isInside: true,
    settle: async (page) => {
      await page.locator('input[inputmode="none"]').fill("12500")
      await page.locator('form button[type="submit"]').click()
      await page.locator("dialog img").waitFor()
      await toCodeImage(page)
    }
  },
  {
    name: "paid",
    path: "org_demo/charge",
    isInside: true,
    settle: async (page) => {
      await page.locator('input[inputmode="none"]').fill("4990")
      await page.locator('form button[type="submit"]').click()
      await page.locator("dialog img").waitFor()
      await page.locator('dialog button[class*="second"]').click()
      await page.locator('dialog[data-status="paid"]').waitFor()
    }
  },
  {
    name: "overview",
    path: "org_demo",
    isInside: true,
    settle: async (page) => {
      await page.locator("main figure canvas").waitFor()
      await page.locator("main figure .u-over").hover({ position: { x: 10, y: 40 } })
    }
  },
  { name: "attention", path: "org_demo?mode=sandbox", isInside: true, settle: toAttention },
  { name: "lost", path: "org_demo?mode=live", isInside: true, settle: toAttention },
  { name: "invoices", path: "org_demo/invoices", isInside: true, settle: quiet },
  { name: "nothing", path: "org_demo/invoices?search=nothing+such", isInside: true, settle: quiet },
  { name: "invoice", path: "org_demo/invoices", isInside: true, settle: toInvoice },
  {
    name: "letter",
    path: "org_demo/invoices?search=mail.example",
    isInside: true,
    settle: async (page) => {
      await toInvoice(page)
      await page.locator("main summary").filter({ hasText: "mail.example" }).first().click()
    }
  },
  {
    name: "refund",
    path: "org_demo/invoices?status=paid",
    isInside: true,
    settle: async (page) => {
      await toInvoice(page)
      await page.locator('main button[class*="second"]').first().click()
      await page.locator("dialog input").first().waitFor()
    }
  },
  { name: "keys", path: "org_demo/keys", isInside: true, settle: quiet },
  {
    name: "key",
    path: "org_demo/keys",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator("dialog input").first().waitFor()
    }
  },
  { name: "cashiers", path: "org_demo/cashiers", isInside: true, settle: quiet },
  {
    name: "wizard",
    path: "org_demo/cashiers",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator("dialog input").first().waitFor()
    }
  },
  { name: "webhooks", path: "org_demo/webhooks", isInside: true, settle: quiet },
  {
    name: "hook",
    path: "org_demo/webhooks",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator("dialog input").first().waitFor()
    }
  },
  {
    name: "secret",
    path: "org_demo/webhooks",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator('dialog input[type="url"]').fill("http://localhost:9/hooks")
      await page.keyboard.press("Enter")
      await page.locator("dialog output").waitFor()
      await page.locator("dialog summary").click()
    }
  },
  { name: "endpoint", path: "org_demo/webhooks", isInside: true, settle: toEndpoint },
  {
    name: "message",
    path: "org_demo/webhooks",
    isInside: true,
    settle: async (page) => {
      await toEndpoint(page)
      await page.locator('main li button[class*="delivery"]').first().click()
      await page.locator("dialog textarea").first().waitFor()
    }
  },
  { name: "bulk", path: "org_demo/bulk?mode=sandbox", isInside: true, settle: quiet },
  { name: "reports", path: "org_demo/reports?mode=sandbox", isInside: true, settle: quiet },
  { name: "developers", path: "org_demo/developers?mode=sandbox", isInside: true, settle: quiet },
  { name: "refunds", path: "org_demo/refunds?mode=live", isInside: true, settle: quiet },
  { name: "reconciliation", path: "org_demo/reconciliation?mode=live", isInside: true, settle: quiet },
  { name: "notifications", path: "org_demo/notifications?mode=live", isInside: true, settle: quiet },
  { name: "clients", path: "org_demo/clients", isInside: true, settle: quiet },
  { name: "tariff", path: "org_demo/tariff", isInside: true, settle: quiet },
  {
    name: "pay",
    path: "org_demo/tariff",
    isInside: true,
    settle: async (page) => {
      await page.locator("main section li button").first().click()
      await page.locator("dialog img").waitFor()
      await toCodeImage(page)
    }
  },
  { name: "journal", path: "org_demo/journal", isInside: true, settle: quiet },
  { name: "links", path: "org_demo/links", isInside: true, settle: quiet },
  {
    name: "link",
    path: "org_demo/links",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator('dialog input[name="title"]').fill("Yoga")
    }
  },
  { name: "subscriptions", path: "org_demo/subscriptions", isInside: true, settle: quiet },
  {
    name: "subscription-calendar",
    path: "org_demo/subscriptions?view=calendar",
    isInside: true,
    settle: async (page) => {
      await page.locator("main h3 + button").last().click()
      await quiet(page)
    }
  },
  {
    name: "subscription-new",
    path: "org_demo/subscriptions",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").click()
      await page.locator('dialog input[name="amount"]').fill("4990")
      await page.locator("dialog ol li").first().waitFor()
    }
  },
  { name: "forms", path: "org_demo/forms", isInside: true, settle: quiet },
  { name: "team", path: "org_demo/team", isInside: true, settle: quiet },
  {
    name: "invite",
    path: "org_demo/team",
    isInside: true,
    settle: async (page) => {
      // It comes once it is known what one may do.
      await page.locator("main header button").nth(1).click()
      await page.locator('dialog input[type="tel"]').waitFor()
    }
  },
  {
    name: "rights",
    path: "org_demo/team",
    isInside: true,
    settle: async (page) => {
      await page.locator("main header button").first().click()
      await page.locator("dialog table").waitFor()
    }
  },
  { name: "settings", path: "org_demo/settings", isInside: true, settle: quiet },
  {
    name: "archive",
    path: "org_demo/settings",
    isInside: true,
    settle: async (page) => {
      await page.locator("main > div > section:last-child button").click()
      await page.locator("dialog input").waitFor()
    }
  },
  { name: "more", path: "org_demo/more", isInside: true, settle: quiet },
  {
    name: "live",
    path: "org_demo",
    isInside: true,
    settle: async (page) => {
      // On a phone another button opens it, which is gone once the first steps are done.
      await page.locator('aside [class*="go"]').dispatchEvent("click")
      await page.locator("dialog").waitFor()
      await quiet(page)
    }
  },
  { name: "nowhere", path: "org_other/keys", isInside: true, settle: quiet },
  { name: "profile", path: "profile", isInside: true, settle: quiet }
]
