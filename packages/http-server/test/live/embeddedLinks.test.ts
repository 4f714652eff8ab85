/** Payment links and form hooks in an application without Effect. */
import { nodePlatform } from "@tolem/adapter-node"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { createEngine } from "@tolem/core"
import { expect, it } from "vitest"

it("an embedded engine has links and hooks, and makes their invoices", async () => {
  const engine = await createEngine({
    database: Sqlite.layer({ filename: ":memory:" }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"]
  })
  try {
    const { organization } = await engine.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
    const shop = engine.of({ organizationId: organization.id, mode: "sandbox" })

    const link = await shop.paymentLinks.create({ slug: "tea", title: "Шай" })
    expect(await shop.paymentLinks.list()).toEqual({ links: [link] })
    const asked = {
      minAmount: null,
      maxAmount: null,
      presets: [],
      pictureUrl: null,
      fields: { name: "off", phone: "off", email: "off", comment: "off" }
    }
    const offer = { title: "Шай", description: null, amount: null, currency: "KZT", ...asked, sellerName: "Shop" }
    expect(await engine.customers.showLink("tea")).toEqual(offer)
    const invoice = await engine.customers.payLink("tea", { amount: 20 })
    expect(invoice).toMatchObject({ amount: 20, status: "new", metadata: { paymentLinkId: link.id } })
    expect(await shop.invoices.simulate(invoice.id, "paid")).toMatchObject({ status: "paid" })
    expect(await shop.paymentLinks.patch(link.id, { status: "paused" })).toMatchObject({ status: "paused" })
    await expect(engine.customers.payLink("tea", { amount: 20 })).rejects.toMatchObject({ code: "link_paused" })
    await shop.paymentLinks.remove(link.id)
    await expect(shop.paymentLinks.get(link.id)).rejects.toMatchObject({ code: "link_not_found" })

    const hook = await shop.formHooks.create({ name: "Order form" })
    const fields = { sum: "20,50", phone: "8 700 123 45 67" }
    expect(await engine.customers.submitForm(hook.id, fields)).toMatchObject({
      amount: 20.5,
      customer: { phone: "77001234567" },
      metadata: { formHookId: hook.id }
    })
    await shop.formHooks.patch(hook.id, { status: "paused" })
    await expect(engine.customers.submitForm(hook.id, fields)).rejects.toMatchObject({ code: "hook_paused" })
    expect(await shop.formHooks.list()).toMatchObject({ hooks: [{ id: hook.id, status: "paused" }] })
    await shop.formHooks.remove(hook.id)
    await expect(shop.formHooks.get(hook.id)).rejects.toMatchObject({ code: "hook_not_found" })
    expect(await engine.verify()).toEqual([])
  } finally {
    await engine.close()
  }
})
