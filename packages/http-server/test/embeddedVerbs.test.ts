/** The promise API has every verb of every use-case. What it has by another name, or not, is said here, with why. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EmbeddedEngine, type EmbeddedMerchant, Engine } from "@tolem/core"
import { sandboxBank, sandboxPayments } from "@tolem/provider-sandbox"
import { Context } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"

/** Why applications have no verb for it. */
interface Reason {
  readonly why: string
}

const why = (text: string): Reason => ({ why: text })
const inCabinet = (verbs: string) => why(`for people with a session of the cabinet; applications call ${verbs}`)
const atTheDoor = why("what HTTP asks before it lets a request in")
const onPages = why("for pages that the server shows to customers")
const within = why("a step of other verbs")
const noUseCase = why("a part that use-cases are made of")

/**
 * What each verb of a use-case is in the promise API: the name of its group if it has the same name there, the group
 * and the verb if not, or why there is none.
 */
const table: Readonly<Record<keyof Engine["Service"], string | Reason | Readonly<Record<string, string | Reason>>>> = {
  invoices: {
    create: "shop.invoices",
    createWithin: "shop.invoices.create",
    createWaiting: within,
    refundUpTo: within,
    bulk: "shop.invoices",
    get: "shop.invoices",
    list: "shop.invoices",
    cancel: "shop.invoices",
    refund: "shop.invoices",
    scan: onPages,
    simulate: "shop.invoices"
  },
  refunds: "shop.refunds",
  subscriptions: "shop.subscriptions",
  subscriptionReports: {
    page: "shop.subscriptions.list",
    sums: "shop.subscriptions",
    calendar: "shop.subscriptions",
    day: "shop.subscriptions",
    runs: "shop.subscriptions",
    preview: "shop.subscriptions",
    previewChange: inCabinet("shop.subscriptions.patch"),
    upcoming: within
  },
  webhooks: "shop.webhooks",
  feed: { page: "shop.events", awaited: "shop.events" },
  reactions: {
    register: "engine.reactions.add",
    handle: "engine.reactions.add",
    awaitHandlers: "engine.tick",
    remove: "engine.reactions",
    failures: "engine.reactions",
    resend: "engine.reactions"
  },
  paymentLinks: {
    create: "shop.paymentLinks",
    list: "shop.paymentLinks",
    get: "shop.paymentLinks",
    patch: "shop.paymentLinks",
    remove: "shop.paymentLinks",
    show: "engine.customers.showLink",
    pay: "engine.customers.payLink",
    look: onPages,
    behind: onPages,
    takePlace: onPages,
    ticket: onPages
  },
  formHooks: {
    create: "shop.formHooks",
    list: "shop.formHooks",
    get: "shop.formHooks",
    patch: "shop.formHooks",
    remove: "shop.formHooks",
    submit: "engine.customers.submitForm",
    show: onPages,
    admit: onPages
  },
  organizations: {
    create: "engine.organizations",
    ensure: "engine.merchant",
    get: "engine.organizations",
    createClient: "engine.partners.open",
    keys: "engine.organizations",
    createKey: "engine.organizations",
    bindKey: within,
    rebindKey: "engine.organizations.bindKey",
    deleteKey: "engine.organizations",
    setAccountStatus: "engine.accounts.setStatus",
    setStatus: "engine.organizations"
  },
  profiles: {
    get: "engine.organizations.profile",
    change: "engine.organizations",
    setLogo: "engine.organizations",
    removeLogo: "engine.organizations"
  },
  pictures: noUseCase,
  pictureMaker: noUseCase,
  tariffs: {
    quota: within,
    earnings: "engine.tariffs",
    payOut: "engine.tariffs",
    standing: "engine.tariffs",
    grant: "engine.tariffs"
  },
  tariffSales: { buy: "engine.tariffs", fulfil: within },
  partners: "engine.partners",
  directory: {
    accounts: "engine.accounts.list",
    organizations: "engine.organizations.list",
    parts: "engine.accounts.memberships",
    members: "engine.members.list",
    account: within,
    addAccount: within,
    setEmail: within,
    setName: within,
    addresses: within,
    setMember: within,
    changeMember: within,
    removeMember: within
  },
  members: "engine.members",
  desks: inCabinet("engine.members.enter"),
  deskInvoices: inCabinet("shop.invoices"),
  deskTariffs: inCabinet("engine.tariffs"),
  formRefusals: why("forms are those over HTTP; applications that embed the engine see what they are refused"),
  platformHealth: why("operators of a service see it; an application has metrics of its own"),
  platformWork: why("operators of a service see it over all organizations; an application has each"),
  deskRefunds: inCabinet("shop.invoices.get, which has the refunds of an invoice, and shop.refunds.resolve"),
  linkStatistics: inCabinet("shop.reports"),
  requestLog: why("requests are those over HTTP; applications that embed the engine log their own"),
  deskSandbox: inCabinet("engine.clock and shop.invoices.simulate"),
  deskConnections: inCabinet("engine.connections"),
  deskWebhooks: {
    create: inCabinet("shop.webhooks.create"),
    ofInvoice: "shop.webhooks",
    replay: "shop.webhooks"
  },
  reports: "shop.reports",
  statements: "shop.reports",
  reconciliations: why(
    "agents compare the days; what differs is worked off in the cabinet, and told by tolem reconcile"
  ),
  notices: inCabinet("none: members choose for themselves what they are told"),
  messengerLinks: inCabinet("none: people open chats with the bot for themselves"),
  statementLetters: inCabinet("shop.reports.statement, and send their own letters"),
  exports: inCabinet("shop.reports.page, which has what tables are made of"),
  operators: why("who has the console of the platform, at the command line"),
  organizationConsole: why("the console of the platform; applications call engine.organizations"),
  refundQuestions: why("the console of the platform; applications call shop.invoices.get with live"),
  looks: why("the console of the platform; applications call shop.invoices.get"),
  earningConsole: why("the console of the platform; applications call engine.tariffs"),
  journalConsole: why("the console of the platform; applications call engine.audit"),
  accountConsole: why("the console of the platform; applications call engine.organizations"),
  journal: inCabinet("engine.audit.list"),
  attention: "shop.attention",
  deskChanges: inCabinet("shop.events"),
  team: { list: "engine.members", change: "engine.members", remove: "engine.members" },
  invitations: "engine.invitations",
  ownOrganizations: inCabinet("engine.organizations"),
  letters: { list: "shop.invoices.letters", sendAgain: "shop.invoices.sendLetterAgain" },
  audit: { list: "engine.audit", journal: inCabinet("engine.audit.list"), names: within, note: within },
  connections: {
    create: "engine.connections",
    list: "engine.connections",
    get: "engine.connections",
    initLogin: "engine.connections",
    sendPhone: "engine.connections",
    verifyOtp: "engine.connections",
    change: "engine.connections.disable engine.connections.enable engine.connections.makeDefault",
    remove: "engine.connections",
    forCreate: within,
    ofInvoice: within,
    sessionLost: within
  },
  modes: { switchTo: "engine.organizations.switchMode" },
  access: atTheDoor,
  visitors: atTheDoor,
  logins: "engine.logins",
  opening: { open: "shop.invoices", openSandbox: "shop.invoices.open", offerDue: within },
  successors: { next: "shop.invoices.successor" },
  changes: onPages,
  clocks: within,
  sandboxTime: { advance: "engine.sandbox" },
  integrity: { findings: "engine.verify", report: why("for `tolem verify`, which shows how far it has come") },
  settings: noUseCase
}

const bank = sandboxBank()
const codes: Array<string> = []
let engine: EmbeddedEngine
let shop: EmbeddedMerchant

beforeAll(async () => {
  engine = await createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    provider: sandboxPayments(bank),
    codeChannels: [{ name: "sms", send: async ({ code }) => void codes.push(code) }],
    secretKeys: ["a key for tests only, of no use anywhere else"],
    settings: { login: { codes: { waitMs: 0 } } },
    agents: false
  })
  shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
})

afterAll(() => engine.close())

/** The verbs of the table, with the names that they are said to have in the promise API. */
const rows = () =>
  Object.entries(Context.get(engine.host.context, Engine)).flatMap(([part, useCase]) => {
    const said = table[part as keyof typeof table]
    if (typeof said === "object" && "why" in said) return []
    return Object.keys(useCase as object).map((verb) => {
      const row = typeof said === "string" ? said : (said[verb] ?? `nothing of ${part}.${verb}`)
      if (typeof row !== "string") return { verb: `${part}.${verb}`, names: [] }
      // `shop.events` and `engine.tick` are no groups.
      const isGroup = (name: string) => typeof at(name) === "object" && name.split(".").length === 2
      return {
        verb: `${part}.${verb}`,
        names: row.split(" ").map((name) => (isGroup(name) ? `${name}.${verb}` : name))
      }
    })
  })

const at = (name: string): unknown =>
  name
    .split(".")
    .reduce<unknown>((found, each) => (found as Record<string, unknown> | undefined)?.[each], { engine, shop })

it("every use-case and every verb of it is named, and found under its name", () => {
  const parts = Context.get(engine.host.context, Engine)
  expect(Object.keys(table).sort()).toEqual(Object.keys(parts).sort())
  const missing = rows().flatMap(({ verb, names }) =>
    names.filter((name) => typeof at(name) !== "function").map((name) => `${verb}: ${name}`)
  )
  expect(missing).toEqual([])
  // A row of a verb that is gone would hide a new one of its name.
  const stale = Object.entries(table).flatMap(([part, said]) =>
    typeof said === "string" || "why" in said
      ? []
      : Object.keys(said)
          .filter((verb) => !(verb in (parts[part as keyof typeof parts] as object)))
          .map((verb) => `${part}.${verb}`)
  )
  expect(stale).toEqual([])
})

it("sums and pages are of what a filter lets through, totals of days", async () => {
  const { invoices, reports } = shop
  const made = []
  for (const amount of [10, 20.5, 30]) made.push(await invoices.create({ amount, description: "tea" }))
  await invoices.simulate(made[1]?.id ?? "", "paid")
  // An id begins with its time; of one millisecond, either may be the later one.
  const [latest, before] = [made[1]?.id, made[2]?.id].toSorted().toReversed()
  const filter = { minAmount: 20.5, search: "tea" }
  const { count, amount, statuses, next } = await reports.sums(filter)
  expect({ count, amount, next }).toEqual({ count: 2, amount: 50.5, next: null })
  expect(statuses.find(({ status }) => status === "paid")).toEqual({
    status: "paid",
    count: 1,
    amount: 20.5,
    refunded: 0
  })
  const first = await reports.page({ ...filter, limit: 1 })
  expect(first.invoices.map(({ id }) => id)).toEqual([latest])
  const second = await reports.page({ ...filter, limit: 1, after: first.next })
  expect(second.invoices.map(({ id }) => id)).toEqual([before])
  expect(first).toMatchObject({ total: 2, totalIsExact: true, lookedTo: null })
  expect(await reports.totals()).toMatchObject({ created: 3, paid: 1, amount: 20.5, before: { created: 0 } })
  const moved = { payments: 1, paid: 20.5, late: 0, refunds: 0, refunded: 0, net: 20.5 }
  expect(await reports.statement()).toMatchObject({ ...moved, days: [moved], cashiers: [{ connectionId: null }] })
  expect(await reports.shift()).toMatchObject({ ...moved, first: { invoiceId: made[1]?.id }, last: { amount: 20.5 } })
  await expect(reports.shift({ from: "tomorrow" })).rejects.toMatchObject({ code: "invalid_from" })
  await expect(reports.sums({ minAmount: -1 })).rejects.toMatchObject({ code: "invalid_amount" })
  await expect(reports.totals({ from: "2026-13-01" })).rejects.toMatchObject({ code: "invalid_from" })
})

it("what was sent of an invoice is shown, and the events of a time are sent again", async () => {
  const { id } = await shop.webhooks.create({ url: "https://shop.example.com/hook" })
  const from = new Date(Date.now() - 1000).toISOString()
  const invoice = await shop.invoices.create({ amount: 10 })
  await shop.invoices.simulate(invoice.id, "paid")
  const sent = async () => (await shop.webhooks.ofInvoice(invoice.id)).deliveries.map(({ event }) => event)
  expect(await sent()).toEqual(["invoice.paid"])
  expect(await shop.webhooks.replay(id, { from })).toEqual({ sent: 1, continueFrom: null })
  expect(await sent()).toEqual(["invoice.paid", "invoice.paid"])
  expect(await shop.webhooks.replay(id, { from, failedOnly: true })).toEqual({ sent: 0, continueFrom: null })
  await expect(shop.webhooks.ofInvoice("inv_unknown")).rejects.toMatchObject({ code: "invoice_not_found" })
})

it("the code of an invoice is made on demand, and another in the place of one that has expired", async () => {
  await shop.paymentLinks.create({ slug: "on-demand", title: "Tea", amount: 20 })
  const made = await engine.customers.payLink("on-demand")
  expect(made).toMatchObject({ status: "new" })
  const open = await shop.invoices.open(made.id)
  expect(open).toMatchObject({ id: made.id, status: "pending" })
  expect(await shop.invoices.open(made.id)).toEqual(open)
  expect((await shop.invoices.successor(made.id)).id).toBe(made.id)
  await shop.invoices.simulate(made.id, "expired")
  const successor = await shop.invoices.successor(made.id)
  expect(successor).toMatchObject({ amount: 20 })
  expect(successor.id).not.toBe(made.id)
  expect((await shop.invoices.successor(made.id)).id).toBe(successor.id)
})

/** A live cashier of the shop, with an invoice. */
const cashierWith = async (amount: number) => {
  const { organizationId } = shop
  const phone = String(77_001_230_000 + amount)
  const { id } = await engine.connections.create(organizationId, { name: phone })
  const { processId } = await engine.connections.initLogin(organizationId, id)
  await engine.connections.sendPhone(organizationId, id, { processId, phone })
  await engine.connections.verifyOtp(organizationId, id, { processId, otp: "111111" })
  await engine.organizations.switchMode(organizationId, "live")
  const till = engine.of({ organizationId, mode: "live", connectionId: id })
  return { id, phone, till, invoice: await till.invoices.create({ amount, kind: "qr" }) }
}

it("who is bound to a cashier sees sums, sent events and what needs attention of that cashier alone", async () => {
  const [one, other] = [await cashierWith(100), await cashierWith(7)]
  const whole = engine.of({ organizationId: shop.organizationId, mode: "live" })
  expect((await whole.reports.sums()).amount).toBe(107)
  expect((await one.till.reports.sums()).amount).toBe(100)
  // A filter narrows what is seen, and never widens it.
  expect((await one.till.reports.sums({ connectionId: other.id })).amount).toBe(0)
  expect((await one.till.reports.totals({ connectionId: other.id })).created).toBe(0)
  expect((await one.till.reports.page()).invoices.map(({ id }) => id)).toEqual([one.invoice.id])

  const { id } = await other.till.webhooks.create({ url: "https://shop.kz/hook" })
  const from = new Date(Date.now() - 60_000).toISOString()
  await expect(one.till.webhooks.replay(id, { from })).rejects.toMatchObject({ code: "endpoint_not_found" })
  await expect(one.till.webhooks.ofInvoice(other.invoice.id)).rejects.toMatchObject({ code: "invoice_not_found" })
  expect(await whole.webhooks.ofInvoice(other.invoice.id)).toEqual({ deliveries: [] })

  expect(await whole.attention.list()).toEqual({ kinds: [], items: [] })
  bank.control.loseSessions(other.phone)
  await other.till.invoices.get(other.invoice.id, { live: true })
  const kindsOf = async (at: EmbeddedMerchant) => (await at.attention.list()).kinds.map(({ kind }) => kind)
  expect(await kindsOf(whole)).toEqual(["cashier_session_lost"])
  expect(await kindsOf(other.till)).toEqual(["cashier_session_lost"])
  expect(await kindsOf(one.till)).toEqual([])
})

it("a member is given other cashiers and another limit, and has a fresh code", async () => {
  const { organizationId } = shop
  const phone = "77009998877"
  await engine.members.add(organizationId, { phone, role: "cashier" })
  const begun = await engine.logins.begin({ phone })
  const { token, account } = await engine.logins.finish({ challengeId: begun.challengeId, code: codes.at(-1) })
  const till = await engine.connections.create(organizationId, { name: "Till" })
  const terms = { connectionIds: [till.id], refundLimit: 5000.5 }
  expect(await engine.members.change(organizationId, account.id, terms)).toMatchObject({ role: "cashier", ...terms })
  expect(await engine.members.change(organizationId, account.id, { role: "manager" })).toMatchObject(terms)
  await expect(
    engine.members.change(organizationId, account.id, { connectionIds: ["con_other"] })
  ).rejects.toMatchObject({
    code: "invalid_connection_ids"
  })
  const { challengeId } = await engine.logins.begin({ phone })
  const fresh = await engine.logins.confirm(token, { challengeId, code: codes.at(-1) })
  expect(fresh.account).toEqual(account)
  expect((await engine.logins.rename(token, "Aliya")).account).toEqual({ ...account, name: "Aliya" })
  await expect(engine.logins.beginEmail(token, "nonsense")).rejects.toMatchObject({ code: "invalid_email" })
  const confirmation = { email: "a@b.kz", challengeId, code: "000000" }
  await expect(engine.logins.confirmEmail(token, confirmation)).rejects.toMatchObject({ code: "challenge_expired" })
  await engine.logins.removeEmail(token)
})

it("a person is invited, and becomes a member by accepting", async () => {
  const { organizationId } = shop
  const { invitations, members, logins } = engine
  const phone = "77001112233"
  const made = await invitations.create(organizationId, { phone, role: "cashier", refundLimit: 50 })
  const other = await invitations.create(organizationId, { phone: "77001112244", role: "manager" })
  await invitations.withdraw(organizationId, other.id)
  const { challengeId } = await logins.begin({ phone })
  const { account } = await logins.finish({ challengeId, code: codes.at(-1) ?? "" })
  const offered = await invitations.offered(account.id)
  expect(offered.invitations).toMatchObject([{ id: made.id, organization: { name: "Shop" }, role: "cashier" }])
  expect(await invitations.accept(account.id, made.id)).toMatchObject({ organizationId, role: "cashier" })
  expect((await members.list(organizationId)).members.at(-1)).toMatchObject({ accountId: account.id, phone })
  const listed = (await invitations.list(organizationId)).invitations.map(({ id, status }) => `${id} ${status}`)
  expect(listed.toSorted()).toEqual([`${made.id} accepted`, `${other.id} withdrawn`].toSorted())
  const again = await invitations.create(organizationId, { phone: "77001112255", role: "developer" })
  await expect(invitations.decline(account.id, again.id)).rejects.toMatchObject({ code: "invitation_not_found" })
  await expect(invitations.create(organizationId, { phone, role: "manager" })).rejects.toMatchObject({
    code: "already_member"
  })
})
