/** Letters about an invoice, as members of its organization see them. */
import * as PromiseClient from "@tolem/api/PromiseClient"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, Settings } from "@tolem/core/engine/Settings"
import * as MailDispatcher from "@tolem/core/letters/MailDispatcher"
import type { Mail } from "@tolem/core/mail/Mail"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { MailStore } from "@tolem/core/mail/MailStore"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

const taken: Array<Letter> = []
const mailer: Mailer["Service"] = {
  send: (letter) => Effect.sync(() => void taken.push(letter)).pipe(Effect.as(HandOver.Taken()))
}
const sandbox = { ...defaults.sandbox, mailTo: ["@qa.example.kz"] }
let service: Service
beforeAll(async () => {
  service = await start({ mailer, settings: { sandbox } })
})
afterAll(() => service.stop())

let phones = 77_080_000_000

/** An organization with a key of its sandbox, and a session of its owner, who has an address. */
const shop = async (email: string) => {
  const { members } = await service.run(Engine)
  const { id, ownerId } = await service.organization()
  const phone = String(++phones)
  await service.run(members.add(id, { phone, role: "developer", email }))
  const { apiKey } = await service.key({ organizationId: id })
  return { id, ownerId, apiKey, token: await logIn(phone) }
}

const logIn = async (phone: string) => {
  const begun = await call(service, "POST", "/panel/login/code", { body: { phone } })
  const body = { challengeId: begun.body["challengeId"], code: service.codes.get(phone) }
  const answer = await call(service, "POST", "/panel/login/verify", { body })
  return /tolem_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? ""
}

/** A paid invoice, whose receipt goes to this address. */
const paid = async (key: string, email: string): Promise<string> => {
  const body = { amount: 1500, description: "Шай", customer: { email } }
  const { body: invoice } = await call(service, "POST", "/api/v1/invoices", { key, body })
  const id = String(invoice["id"])
  const outcome = await call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status: "paid" } })
  expect(outcome.status).toBe(200)
  return id
}

const lettersOf = (token: string, organizationId: string, id: string) =>
  call(service, "GET", `/panel/orgs/${organizationId}/invoices/${id}/letters`, {
    headers: { authorization: `Bearer ${token}` }
  })

/** Lets the dispatcher work until each of these invoices has a letter that is settled. */
const dispatched = (token: string, organizationId: string, ids: ReadonlyArray<string>) => {
  const settled = Effect.promise(async () => {
    const answers = await Promise.all(ids.map((id) => lettersOf(token, organizationId, id)))
    return answers.every(({ body }) => body["letters"]?.every(({ completedAt }) => completedAt))
  })
  const dispatcher = MailDispatcher.layer.pipe(
    Layer.provide(Layer.merge(Layer.succeed(Mailer, mailer), Layer.succeed(Settings, service.settings)))
  )
  return service.run(
    Effect.scoped(Effect.andThen(Layer.build(dispatcher), Effect.repeat(settled, { until: (done) => done })))
  )
}

describe("letters of a sandbox", () => {
  it("go to members of its organization and to the operator's addresses; the others are kept and shown", async () => {
    const mine = await shop("aliya@shop.example.kz")
    const other = await shop("bolat@other.example.kz")
    const invoices = {
      member: await paid(mine.apiKey, "Aliya@shop.example.kz"),
      tester: await paid(mine.apiKey, "anyone@qa.example.kz"),
      stranger: await paid(mine.apiKey, "bolat@other.example.kz")
    }
    await dispatched(mine.token, mine.id, Object.values(invoices))
    expect(taken.map(({ to }) => to).toSorted()).toEqual(["Aliya@shop.example.kz", "anyone@qa.example.kz"])

    const { body, status } = await lettersOf(mine.token, mine.id, invoices.stranger)
    expect(status).toBe(200)
    expect(body["letters"]).toEqual([
      {
        id: expect.stringMatching(/^mai_/),
        kind: "receipt",
        mode: "sandbox",
        invoiceId: invoices.stranger,
        recipient: "bolat@other.example.kz",
        subject: expect.stringContaining("[sandbox]"),
        text: expect.stringContaining(`/receipts/${invoices.stranger}`),
        status: "kept",
        reason: expect.stringContaining("members"),
        attempts: 0,
        resent: 0,
        nextAttemptAt: null,
        createdAt: expect.any(String),
        completedAt: expect.any(String)
      }
    ])
    const sent = await lettersOf(mine.token, mine.id, invoices.member)
    expect(sent.body["letters"]).toMatchObject([{ status: "sent", reason: null, attempts: 1 }])

    const codeOf = async (token: string, organizationId: string, id: string) => {
      const answer = await lettersOf(token, organizationId, id)
      return `${answer.status} ${answer.body["error"]}`
    }
    expect(await codeOf(other.token, mine.id, invoices.member)).toBe("403 forbidden")
    expect(await codeOf(other.token, other.id, invoices.member)).toBe("404 invoice_not_found")
    expect(await codeOf(mine.token, mine.id, "inv_none")).toBe("404 invoice_not_found")
    expect(await codeOf(mine.token, mine.id, "%00")).toBe("404 invoice_not_found")
    expect(await codeOf("cab_none", mine.id, invoices.member)).toBe("401 unauthorized")
    const { organizations } = await service.run(Engine)
    await service.run(organizations.setAccountStatus(mine.ownerId, "blocked"))
    expect(await codeOf(mine.token, mine.id, invoices.member)).toBe("403 account_blocked")
  })

  it("are sent again if the merchant asks, and once however often they ask", async () => {
    const mine = await shop("dana@shop.example.kz")
    const invoice = await paid(mine.apiKey, "dana@shop.example.kz")
    const first = await lettersOf(mine.token, mine.id, invoice)
    const id = String(first.body["letters"]?.[0]?.["id"])
    const again = () =>
      call(service, "POST", `/panel/orgs/${mine.id}/invoices/${invoice}/letters/${id}/resend`, {
        headers: { authorization: `Bearer ${mine.token}` }
      })
    const sentTo = () => taken.filter(({ to }) => to === "dana@shop.example.kz").map((letter) => letter.id)
    // What waits stands for the request.
    expect((await again()).body).toMatchObject({ id, status: "pending", resent: 0 })
    await dispatched(mine.token, mine.id, [invoice])
    // So does what was sent just now.
    expect((await again()).body).toMatchObject({ id, status: "sent", resent: 0 })
    const mails = await service.run(MailStore)
    const [sent] = await service.run(mails.list(mine.id, invoice))
    const waits: Mail = { ...sent!, status: "pending", dueAt: 9e15, completedAt: null }
    await service.run(mails.sendAgain(sent!, waits, auditOf()))
    await service.run(mails.settle({ ...sent!, status: "failed" }))
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { body } of answers) expect(body).toMatchObject({ id, status: "pending", resent: 1, attempts: 0 })
    await dispatched(mine.token, mine.id, [invoice])
    // Under another name: a mailbox may drop what it has already.
    expect(sentTo()).toEqual([id, `${id}.1`])
    const { list } = await service.run(AuditStore)
    const records = await service.run(list({ organizationId: mine.id, before: null, limit: 100 }))
    expect(records.filter(({ action }) => action === "letter.resent").map(({ subject }) => subject)).toEqual([id])
  })

  it("do not go to who was named the owner by a partner until they have logged in", async () => {
    const { members, organizations } = await service.run(Engine)
    const opened = async (request: { readonly ownerPhone: string; readonly tariff?: "partner" }) =>
      (await service.run(organizations.create({ name: "Shop", ...request }))).organization.id
    const [ownerPhone, partnerPhone] = [String(++phones), String(++phones)]
    const email = "owner@named.example.kz"
    await service.run(members.add(await opened({ ownerPhone }), { phone: ownerPhone, role: "developer", email }))
    const organizationId = await opened({ ownerPhone: partnerPhone, tariff: "partner" })
    const { apiKey } = await service.key({ organizationId })
    const { partner } = PromiseClient.makePromise({ baseUrl: service.url, apiKey })
    const client = await partner.open({ payload: { name: "Not theirs", ownerPhone } })
    if (!("apiKey" in client)) throw new Error("it is not new")
    const { organization, apiKey: key } = client
    const token = await logIn(partnerPhone)
    const statusOf = async (invoice: string) => {
      await dispatched(token, organization.id, [invoice])
      return (await lettersOf(token, organization.id, invoice)).body["letters"]
    }
    expect(await statusOf(await paid(key, email))).toMatchObject([{ status: "kept" }])
    await logIn(ownerPhone)
    expect(await statusOf(await paid(key, email))).toMatchObject([{ status: "sent" }])
  })
})
