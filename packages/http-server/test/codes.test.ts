/** Every 4xx code that a client can provoke, each provoked. */
import { Engine } from "@tolem/core/engine/Engine"
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import type { MailKind } from "@tolem/core/mail/Mail"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import type { ConnectionId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call, enumOf, everywhere, operations } from "./support/calls.ts"
import { letterOf, mailer } from "./support/letters.ts"
import { pair } from "./support/meeting.ts"
import { needsProvider } from "./support/needsProvider.ts"
import { as, join, logIn, organizationOf } from "./support/people.ts"
import { type Key, type Service, start } from "./support/service.ts"
import { answersIn, exchange } from "./support/socket.ts"

/** Where readers of an invoice meet, so that two requests know the same version of it. */
let meet: () => Promise<void> = () => Promise.resolve()

let service: Service
let key: Key

beforeAll(async () => {
  service = await start({
    mailer,
    alter: (store) => ({ ...store, find: (id) => Effect.tap(store.find(id), () => Effect.promise(() => meet())) })
  })
  key = await service.key()
})
afterAll(() => service.stop())

const invoices = "/api/v1/invoices"
const endpoints = "/api/v1/webhook-endpoints"
type Outcome = Promise<{ readonly status: number; readonly code: string }>

const outcome = async (answer: Promise<Answer>): Outcome => {
  const { status, body } = await answer
  return { status, code: String(body["error"]) }
}
const create = (body: unknown, headers: Record<string, string> = {}) =>
  outcome(call(service, "POST", invoices, { key, body, headers }))
const get = (path: string, of: Key | string | undefined = key) => outcome(call(service, "GET", path, { key: of }))
const post = (path: string, body?: unknown, of = key) => outcome(call(service, "POST", path, { key: of, body }))
const made = async (body: object = { amount: 10 }) =>
  `${invoices}/${(await call(service, "POST", invoices, { key, body })).body["id"]}`
const paid = async () => {
  const path = await made()
  await post(`${path}/simulate`, { status: "paid" })
  return path
}
const raw = async (head: string): Outcome => {
  const [answer] = answersIn(await exchange(service.port, `${head}\r\n\r\n`))
  return { status: answer?.status ?? 0, code: JSON.parse(answer?.body ?? "{}").error }
}
const alone = async (
  change: (organizationId: string, ownerId: string) => Parameters<MerchantStore["Service"]["setStatus"]>[0]
) => {
  const { id, ownerId } = await service.organization()
  const own = await service.key({ organizationId: id })
  await service.run(MerchantStore.use((store) => store.setStatus(change(id, ownerId), Date.now())))
  return get(invoices, own)
}
const endpoint = async () => {
  const body = { url: "http://localhost:9/hook" }
  return `${endpoints}/${(await call(service, "POST", endpoints, { key, body })).body["id"]}`
}

const subscriptions = "/api/v1/subscriptions"
const subscribe = (body: object) => post(subscriptions, { amount: 10, ...body })
const subscription = async () => {
  const { body } = await call(service, "POST", subscriptions, { key, body: { amount: 10, dayOfMonth: 1 } })
  return `${subscriptions}/${body["id"]}`
}

const partner = "/api/v1/partner/organizations"
let partnerKey: Key | undefined
const asPartner = async (path: string, body: object) => {
  partnerKey ??= await service.key({ organizationId: (await service.organization({ tariff: "partner" })).id })
  return post(`${partner}${path}`, body, partnerKey)
}
const client = { name: "Bakery", ownerPhone: "77059990001" }
const clientId = async () => {
  await asPartner("", client)
  return (await call(service, "GET", partner, { key: partnerKey })).body["organizations"]?.[0]?.["id"]
}

const links = "/api/v1/payment-links"
const hooks = "/api/v1/form-hooks"
const full = async (path: string, body: object) => {
  const own = await service.key()
  for (let i = 0; i < 100; i++) expect((await post(path, body, own)).status).toBe(201)
  return post(path, body, own)
}

let session: { readonly token: string; readonly organizationId: string } | undefined
/** As an owner who has logged in. */
const asOwner = async (method: string, pathOf: (organizationId: string) => string, body?: object) => {
  if (session === undefined) {
    const phone = "77020000099"
    const { organizations } = await service.run(Engine)
    const { organization } = await service.run(organizations.create({ name: "Shop", ownerPhone: phone }))
    const { headers } = await call(service, "POST", "/panel/login/verify", { body: await challenge(phone) })
    const token = /tolem_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
    session = { token, organizationId: organization.id }
  }
  const headers = { authorization: `Bearer ${session.token}` }
  return outcome(call(service, method, pathOf(session.organizationId), { body, headers }))
}
const organizationOfOwner = async () => {
  await asOwner("GET", () => "/panel/session")
  return session!.organizationId
}

const keyOf = async (connectionId: ConnectionId | undefined) => {
  const organizationId = await organizationOfOwner()
  const { organizations } = await service.run(Engine)
  const wanted = { organizationId, mode: "sandbox", name: "Shop", scopes: ["invoices:read"], connectionId } as const
  return (await service.run(organizations.createKey(wanted))).key
}

const rebind = (keyId: string, body: object) => asOwner("PATCH", (own) => `/panel/orgs/${own}/api-keys/${keyId}`, body)

const profile = (body: object) => asOwner("PATCH", (own) => `/panel/orgs/${own}/profile`, body)

const asAccountant = async (pathOf: (organizationId: string) => string) => {
  await organizationOfOwner()
  const accountant = await logIn(service, "77020000098")
  await join(service, session!.organizationId, accountant, "accountant")
  memberId = accountant.accountId
  return outcome(as(service, accountant, "GET", pathOf(session!.organizationId)))
}

/** As an owner whose session began longer ago than a code is fresh. */
const withoutFreshCode = async (method: string, pathOf: (organizationId: string) => string) => {
  const stale = await start({ settings: { login: { ...service.settings.login, freshMs: 0 } } })
  try {
    const owner = await logIn(stale, "77020000097")
    return await outcome(as(stale, owner, method, pathOf(await organizationOf(stale, owner)), {}))
  } finally {
    await stale.stop()
  }
}
const asTeam = (body: object) => asOwner("PATCH", (own) => `/panel/orgs/${own}/members/${memberId}`, body)
let memberId = "acc_nobody"

/** What is answered the last of so many times. */
const often = <A>(times: number, ask: () => Promise<A>): Promise<A> =>
  times === 1 ? ask() : ask().then(() => often(times - 1, ask))

const sendAgain = async (kind: MailKind, times: number) => {
  const { path, settle } = await letterOf(service, await organizationOfOwner(), kind)
  return often(times, () => settle().then(() => asOwner("POST", () => `${path}/resend`)))
}

let invited = 77_020_001_000
const invite = (phone = String(++invited)) =>
  asOwner("POST", (own) => `/panel/orgs/${own}/invitations`, { phone, role: "manager" })

const codeTo = (phone: string, more: object = {}) =>
  outcome(call(service, "POST", "/panel/login/code", { body: { phone, ...more } }))
const verify = (body: object) => outcome(call(service, "POST", "/panel/login/verify", { body }))
const challenge = async (phone: string) => {
  const { body } = await call(service, "POST", "/panel/login/code", { body: { phone } })
  const code = service.codes.get(phone) ?? ""
  return { challengeId: body["challengeId"], code, wrong: code === "000000" ? "000001" : "000000" }
}

const cases: Partial<Record<Code, () => Outcome>> = {
  unauthorized: () => get(invoices, ""),
  invalid_api_key: () => get(invoices, "nonsense"),
  insufficient_scope: async () => get(invoices, await service.key({ scopes: ["refunds:write"] })),
  account_blocked: () => alone((_, account) => ({ account, status: "blocked" })),
  organization_inactive: () => alone((organization) => ({ organization, status: "archived" })),
  request_rate_limited: async () => {
    const limited = await start({ settings: { readsPerMinute: 0 } })
    try {
      return await outcome(call(limited, "GET", invoices, { key: await limited.key() }))
    } finally {
      await limited.stop()
    }
  },
  forbidden: async () => get(await made(), await service.key()),
  invoice_not_found: () => get(`${invoices}/inv_nobody`),
  not_sandbox: async () => post(`${invoices}/x/simulate`, { status: "paid" }, await service.key({ mode: "live" })),
  not_live: async () => {
    const live = await service.key({ mode: "live" })
    await service.run(Engine.use(({ modes }) => modes.switchTo(live.organizationId, "sandbox")))
    return post(invoices, { amount: 1 }, live)
  },
  provider_session_not_configured: async () => post(invoices, { amount: 1 }, await service.key({ mode: "live" })),
  invalid_allowed_origins: () => post(hooks, { name: "x", allowedOrigins: ["https://shop.kz/path"] }),
  invalid_honeypot: () => post(hooks, { name: "x", honeypot: "amount" }),
  invalid_kind: () => create({ amount: 1, kind: "card" }),
  invalid_amount: () => create({ amount: "1" }),
  amount_too_small: () => create({ amount: 0.99 }),
  amount_too_large: () => create({ amount: 100_000_000 }),
  amount_must_be_whole_tenge: () => create({ amount: 1.5, kind: "phone" }),
  phone_required: () => create({ amount: 1, kind: "phone" }),
  invalid_phone: () => create({ amount: 1, customer: { phone: "+77001234567" } }),
  invalid_customer: () => create({ amount: 1, customer: [] }),
  invalid_email: () => create({ amount: 1, customer: { email: "nobody" } }),
  invalid_description: () => create({ amount: 1, description: "x".repeat(101) }),
  invalid_external_order_id: () => create({ amount: 1, externalOrderId: 17 }),
  invalid_url: () => create({ amount: 1, successUrl: "javascript:alert(1)" }),
  invalid_metadata: () => create({ amount: 1, metadata: [] }),
  invalid_idempotency_key: () => create({ amount: 1 }, { "idempotency-key": "x".repeat(256) }),
  invalid_invoices: () => post(`${invoices}/bulk`, { invoices: [] }),
  invalid_status: () => get(`${invoices}?status=open`),
  invalid_mode: () => get(`${invoices}?mode=test`),
  invalid_from: () => get(`${invoices}?from=yesterday`),
  invalid_search: () => get(`${invoices}?search=a&search=b`),
  invalid_live: () => get(`${invoices}/inv_1?live=1&live=1`),
  invalid_to: () => get(`${invoices}?to=tomorrow`),
  invalid_limit: () => get(`${invoices}?limit=all`),
  invalid_offset: () => get(`${invoices}?offset=1.5`),
  invalid_after: () => get("/api/v1/events?after=nonsense"),
  invalid_types: () => get("/api/v1/events?types=invoice.sneezed"),
  invalid_wait: () => get("/api/v1/events?wait=long"),
  too_many_waiting: async () => {
    const own = await service.key()
    const all = Array.from({ length: 17 }, () => get("/api/v1/events?wait=20", own))
    const first = await Promise.race(all)
    await call(service, "POST", invoices, { key: own, body: { amount: 10 } })
    await Promise.all(all)
    return first
  },
  invoice_not_open: async () => post(`${await paid()}/cancel`),
  invoice_not_refundable: async () => post(`${await made()}/refund`),
  invalid_refund_amount: async () => post(`${await paid()}/refund`, { amount: 11 }),
  invalid_reason: async () => post(`${await paid()}/refund`, { reason: 5 }),
  invoice_changed: async () => {
    const path = `${await paid()}/refund`
    meet = pair()
    const outcomes = await Promise.all([post(path, { amount: 1 }), post(path, { amount: 1 })])
    meet = () => Promise.resolve()
    return outcomes.find(({ code }) => code === "invoice_changed") ?? { status: 0, code: "no race was lost" }
  },
  invalid_json: () => create("{"),
  cross_site_request: () => outcome(call(service, "POST", "/panel/logout", { headers: { origin: "https://x.kz" } })),
  unsupported_media_type: () => create("{}", { "content-type": "text/plain" }),
  payload_too_large: () => create("x".repeat(300_000)),
  route_not_found: () => get("/api/v1/nowhere"),
  method_not_allowed: () => outcome(call(service, "PUT", invoices, { key, body: {} })),
  invalid_request: () => raw("GET / HTTP/1.1\r\nConnection: close"),
  headers_too_large: () => raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}`),
  request_timeout: async () => {
    // On a busy machine the heads of others' requests may take as long.
    const impatient = await start({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 60_000, checkEveryMs: 20 } })
    const [answer] = answersIn(await exchange(impatient.port, "GET / HTTP/1.1\r\nHost: x\r\n"))
    await impatient.stop()
    return { status: answer?.status ?? 0, code: JSON.parse(answer?.body ?? "{}").error }
  },
  invalid_interval: () => subscribe({ interval: "year" }),
  invalid_every: () => subscribe({ every: 13 }),
  invalid_day_of_month: () => subscribe({ dayOfMonth: 29 }),
  invalid_start_at: () => subscribe({ startAt: "tomorrow" }),
  invalid_max_runs: () => subscribe({ maxRuns: 0 }),
  invalid_retry: () => subscribe({ retry: [0] }),
  invalid_misfire: () => subscribe({ misfire: "twice" }),
  invalid_next_run_at: async () =>
    outcome(call(service, "PATCH", await subscription(), { key, body: { nextRunAt: "2001-01-01T00:00:00Z" } })),
  subscription_not_found: () => get(`${subscriptions}/sub_nobody`),
  subscription_closed: async () => {
    const path = await subscription()
    await post(`${path}/cancel`)
    return post(`${path}/resume`)
  },
  too_many_keys: async () => {
    const id = await clientId()
    const make = () => asPartner(`/${id}/api-keys`, { name: "x" })
    let last = await make()
    // The first key came with the client.
    for (let count = 1; count < 20; count++) last = await make()
    return last
  },
  session_not_found: () => asOwner("DELETE", () => "/panel/sessions/ses_nobody"),
  key_not_found: () => rebind("key_nobody", { connectionId: null }),
  organization_changed: () => profile({ version: 99 }),
  invalid_contact: () => profile({ contact: "call us" }),
  invalid_address: () => profile({ contact: { address: "a\nb" } }),
  invalid_colour: () => profile({ colour: "red" }),
  invalid_picture: () => profile({ logo: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>") }),
  insufficient_role: () => asAccountant((own) => `/panel/orgs/${own}/api-keys`),
  fresh_code_required: () => withoutFreshCode("POST", (own) => `/panel/orgs/${own}/api-keys`),
  member_not_found: () => asOwner("DELETE", (own) => `/panel/orgs/${own}/members/acc_nobody`),
  invalid_role: () => asTeam({ role: "owner" }),
  invalid_connection_ids: () => asTeam({ connectionIds: "all" }),
  invalid_refund_limit: () => asTeam({ refundLimit: -1 }),
  already_member: () => invite("77020000099"),
  invitation_not_found: () => asOwner("POST", () => "/panel/invitations/ivt_nobody/accept"),
  invitation_closed: async () => {
    const person = await logIn(service, "77020000096")
    const { invitations } = await service.run(Engine)
    const { id } = await service.run(invitations.create(await organizationOfOwner(), { ...person, role: "manager" }))
    await service.run(invitations.decline(person.accountId, id))
    return outcome(as(service, person, "POST", `/panel/invitations/${id}/accept`))
  },
  invitation_limit: () => often(4, () => invite("77020000095")),
  too_many_invitations: () => often(21, () => invite()),
  invalid_referral_code: () => asOwner("POST", () => "/panel/orgs", { name: "Tea", referralCode: "nobody" }),
  too_many_organizations: () => often(20, () => asOwner("POST", () => "/panel/orgs", { name: "Tea" })),
  invalid_duration: () => asOwner("POST", (own) => `/panel/orgs/${own}/sandbox/clock`, { byMs: 0 }),
  invalid_source: () => asOwner("GET", (own) => `/panel/orgs/${own}/invoices?source=post`),
  invalid_connection_id: async () => rebind((await keyOf(undefined)).id, { connectionId: 5 }),
  letter_not_found: async () => {
    const { path } = await letterOf(service, await organizationOfOwner(), "receipt")
    return asOwner("POST", () => `${path}x/resend`)
  },
  letter_outdated: () => sendAgain("invoice", 1),
  letter_limit: () => sendAgain("receipt", 6),
  connection_has_keys: async () => {
    const own = await organizationOfOwner()
    const { connections } = await service.run(Engine)
    const { id } = await service.run(connections.create(own, { name: "Till" }))
    await keyOf(id)
    return asOwner("DELETE", () => `/panel/orgs/${own}/connections/${id}`)
  },
  partner_required: () => post(partner, client),
  invalid_name: () => asPartner("", { ...client, name: "" }),
  invalid_idn: () => asPartner("", { ...client, idn: 5 }),
  invalid_scopes: async () => asPartner(`/${await clientId()}/api-keys`, { name: "x", scopes: "all" }),
  connection_not_found: async () => asPartner(`/${await clientId()}/connections/con_nobody/provider/init`, {}),
  invalid_code: async () => {
    const { challengeId, wrong } = await challenge("77020000001")
    return verify({ challengeId, code: wrong })
  },
  challenge_expired: () => verify({ challengeId: "chl_nobody", code: "123456" }),
  challenge_used: async () => {
    const right = await challenge("77020000002")
    await verify(right)
    return verify(right)
  },
  too_many_attempts: async () => {
    const { challengeId, wrong } = await challenge("77020000003")
    for (let i = 0; i < 5; i++) await verify({ challengeId, code: wrong })
    return verify({ challengeId, code: wrong })
  },
  rate_limited: async () => {
    await codeTo("77020000004")
    return codeTo("77020000004")
  },
  channel_forbidden: () => codeTo("77020000005", { channel: "pigeon" }),
  invalid_events: () => post(endpoints, { url: "http://localhost:9/", events: ["invoice.sneezed"] }),
  webhook_url_requires_https: async () =>
    post(endpoints, { url: "http://shop.kz/" }, await service.key({ mode: "live" })),
  webhook_url_requires_domain: async () =>
    post(endpoints, { url: "https://93.184.216.34/" }, await service.key({ mode: "live" })),
  webhook_url_tunnel_forbidden: async () =>
    post(endpoints, { url: "https://abc.ngrok-free.app/" }, await service.key({ mode: "live" })),
  too_many_endpoints: async () => {
    const own = await service.key()
    const add = () => post(endpoints, { url: "http://localhost:9/" }, own)
    for (let i = 0; i < 10; i++) expect((await add()).status).toBe(201)
    return add()
  },
  invalid_disabled: async () => outcome(call(service, "PATCH", await endpoint(), { key, body: { disabled: "yes" } })),
  endpoint_not_found: () => get(`${endpoints}/whe_nobody`),
  invalid_slug: () => post(links, { title: "x", slug: "A" }),
  invalid_title: () => post(links, {}),
  invalid_min_amount: () => post(links, { title: "x", minAmount: 0 }),
  invalid_max_amount: () => post(links, { title: "x", maxAmount: "5" }),
  invalid_presets: () => post(links, { title: "x", presets: [5, 5] }),
  invalid_fields: () => post(links, { title: "x", fields: [] }),
  invalid_thank_you: () => post(links, { title: "x", thankYou: "x".repeat(501) }),
  invalid_max_payments: () => post(links, { title: "x", maxPayments: 0 }),
  invalid_opens_at: () => post(links, { title: "x", opensAt: "tomorrow" }),
  invalid_closes_at: () => post(links, { title: "x", closesAt: 5 }),
  slug_taken: async () => {
    await post(links, { title: "x", slug: "tea" })
    return post(links, { title: "x", slug: "tea" })
  },
  too_many_links: () => full(links, { title: "x" }),
  link_not_found: () => get(`${links}/lnk_nobody`),
  too_many_hooks: () => full(hooks, { name: "x" }),
  hook_not_found: () => get(`${hooks}/hok_nobody`),
  delivery_not_found: async () => get(`${await endpoint()}/deliveries/dlv_nobody`)
}

describe("the codes of 4xx answers", () => {
  const announced = new Set(operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap(enumOf)))
  const reachable = [...announced, ...everywhere].filter(
    (code) => entry(code as Code).status < 500 && !needsProvider.includes(code)
  )

  it("have a case each", () => {
    expect(Object.keys(cases).toSorted()).toEqual([...new Set(reachable)].toSorted())
  })

  for (const [code, provoke] of Object.entries(cases)) {
    it(`can be provoked: ${code}`, async () => {
      expect(await provoke?.()).toEqual({ code, status: entry(code as Code).status })
    })
  }
})
