/**
 * The shop whose cabinet is measured: so many live invoices of a year, and something of every kind that needs
 * attention. Rows are made in SQL, in a text that both databases read, a statement a table and a chunk. Events are left
 * out, as nothing of a list reads them.
 */
import { createHash, randomBytes } from "node:crypto"

/** How a database runs statements, and what it calls the Almaty day of an instant. */
export interface Writer {
  readonly run: (statement: string) => Promise<unknown>
  /** In SQL, the day of the expression, whose value is epoch milliseconds in Almaty. */
  readonly dayOf: (almatyMs: string) => string
}

/** What is asked for in it. */
export interface Shop {
  readonly organizationId: string
  /** Of a session of its owner. */
  readonly token: string
  readonly count: number
  /** When its invoice of this number was made, 0 the oldest, and what it is called. */
  readonly placeOf: (number: number) => { readonly at: number; readonly id: string }
  /** The number of its order. */
  readonly orderOf: (number: number) => string
}

const dayMs = 86_400_000
const almatyMs = 5 * 3_600_000
/** Rows of a statement. */
const chunk = 250_000
const cashiers = 20
const lostCashiers = 2

/** Of each that is counted up to a bound, more than that. */
const concerns = { refunds: 500, runs: 200, deliveries: 5_000, lateEvery: 20 }

/** What is used up of the month's quota: it is low from four fifths on. */
const usedOfMonth = 0.85

/** Fills the migrated database, in which the organization is, with so many invoices. */
export const fill = async (
  { run, dayOf }: Writer,
  organizationId: string,
  count: number,
  monthlyLimit: number
): Promise<Shop> => {
  const now = Date.now()
  const step = Math.floor((365 * dayMs) / count)
  const oldest = now - 60_000 - (count - 1) * step
  const quoted = `'${organizationId}'`
  const token = `cab_${randomBytes(32).toString("base64url")}`
  await run(opened(quoted, token, now))
  await run(counted(quoted, now, Math.ceil(monthlyLimit * usedOfMonth)))
  await run(connections(quoted, now))
  for (let from = 0; from < count; from += chunk)
    await run(invoices(quoted, { from, to: Math.min(count, from + chunk) - 1, oldest, step, dayOf }))
  await run(totals(quoted))
  await run(refunds(quoted, now))
  await run(subscriptions(quoted, now))
  await run(endpoints(quoted, now))
  await run(deliveries(quoted, now))
  await run(`update tolem_organizations set mode = 'live', tariff_until = ${now + 365 * dayMs} where id = ${quoted}`)
  const placeOf = (number: number) => ({ at: oldest + number * step, id: idOf(number) })
  return { organizationId, token, count, placeOf, orderOf }
}

/** Instants of the invoice with this number are `oldest + number * step`. */
interface Part {
  readonly from: number
  readonly to: number
  readonly oldest: number
  readonly step: number
  readonly dayOf: Writer["dayOf"]
}

const digits = 1_000_000_000_000
const idOf = (number: number): string => `inv_${digits + number}`
const connectionOf = (number: string): string => `'con_bench' || cast(100 + ${number} as text)`
const numbers = (from: number, to: number): string =>
  `with recursive numbers(n) as (
    select cast(${from} as bigint) union all select n + 1 from numbers where n < ${to}
  )`

/** Evenly drawn, and the same in each run. */
const drawn = (seed: number, below: number): string => `(((n + ${seed}) * ${factor}) % ${range} % ${below})`
const factor = 2_654_435_761
const range = 2 ** 32
const orderOf = (number: number): string => `ORD-${(BigInt(number + 4) * BigInt(factor)) % BigInt(range)}`
const oneOf = (seed: number, texts: ReadonlyArray<string>): string =>
  `case ${drawn(seed, texts.length)} ${texts.map((text, index) => `when ${index} then '${text}'`).join(" ")} end`

const opened = (organization: string, token: string, now: number): string => `
  insert into tolem_sessions (id, account_id, digest, created_at, seen_at, idle_at, expires_at)
  select 'ses_bench', owner_id, '${createHash("sha256").update(token).digest("hex")}', ${now}, ${now},
    ${now + dayMs}, ${now + dayMs}
  from tolem_organizations where id = ${organization}`

const counted = (organization: string, now: number, used: number): string => `
  insert into tolem_usage (organization_id, period, used)
  values (${organization}, '${new Date(now + almatyMs).toISOString().slice(0, 7)}', ${used})`

const connections = (organization: string, now: number): string => `${numbers(0, cashiers - 1)}
  insert into tolem_connections (id, organization_id, name, status, is_default, created_at, updated_at, version)
  select ${connectionOf("n")}, ${organization}, 'Till ' || cast(n as text),
    case when n < ${lostCashiers} then 'expired' else 'active' end, 0, ${now - 365 * dayMs}, ${now - 3_600_000}, 1
  from numbers`

// Of ten invoices seven are paid, one each is expired, cancelled, and failed; some of the paid ones came late.
const invoices = (organization: string, { from, to, oldest, step, dayOf }: Part): string => `${numbers(from, to)}
  insert into tolem_invoices (id, organization_id, mode, connection_id, kind, status, amount, refunded, description,
    external_order_id, customer_name, customer_phone, metadata, receipt_number, qr_url, expires_at, paid_at,
    created_at, updated_at, late, sequence, version, day, search_text, origin)
  select id, ${organization}, 'live', connection_id, kind, status, amount, 0, description, order_id, name, phone,
    '{"table":7}', receipt, 'https://pay.example/' || id, created_at + 180000,
    case status when 'paid' then created_at + 60000 end, created_at, created_at + 60000,
    case when status = 'paid' and n % ${concerns.lateEvery} = 0 then 1 else 0 end, 2, 2,
    ${dayOf(`created_at + ${almatyMs}`)},
    lower(id || ${sep} || order_id || ${sep} || description || ${sep} || name || ${sep} || phone
      || coalesce(${sep} || receipt, '')),
    origin
  from (
    select n, 'inv_' || cast(${digits} + n as text) as id, ${oldest} + n * ${step} as created_at,
      ${connectionOf(`n % ${cashiers}`)} as connection_id,
      case when n % 9 = 0 then 'phone' else 'qr' end as kind,
      case n % 10 when 2 then 'expired' when 5 then 'cancelled' when 8 then 'failed' else 'paid' end as status,
      100 * (1 + ${drawn(1, 100_000)}) as amount,
      ${oneOf(2, things)} || ', ' || ${oneOf(3, things)} as description,
      'ORD-' || cast(${drawn(4, range)} as text) as order_id,
      ${oneOf(5, firstNames)} || ' ' || ${oneOf(6, lastNames)} as name,
      '7701' || cast(1000000 + ${drawn(7, 9_000_000)} as text) as phone,
      case when n % 10 in (2, 5, 8) then null else cast(${digits} + n as text) end as receipt,
      case when n % 7 = 0 then 'payment-link/plk_bench' when n % 11 = 0 then 'form-hook/fhk_bench'
        when n % 13 = 0 then 'subscription/sub_bench/' || cast(n as text) || '/0' end as origin
    from numbers
  ) as made`

const sep = "'\u001f'"
const things = ["coffee", "tea", "samsa", "baursak", "manty", "plov", "lagman", "bread", "milk", "honey", "flowers"]
const firstNames = ["Aigerim", "Aruzhan", "Dana", "Madina", "Zarina", "Asel", "Nurlan", "Daulet", "Yerlan", "Timur"]
const lastNames = [
  "Akhmetov",
  "Omarov",
  "Ospanov",
  "Iskakov",
  "Kim",
  "Ivanov",
  "Smagulov",
  "Kaliyev",
  "Bekov",
  "Orazov"
]

const sourceOf = `case substr(coalesce(origin, ''), 1, 8) when 'subscrip' then 'subscription'
  when 'payment-' then 'payment-link' when 'form-hoo' then 'form-hook' else 'request' end`

/** Each way and origin is counted in shards of its own; see `TotalKinds` of the SQL adapter. */
const shardOf = `10000000 * (case kind when 'phone' then 4 else 0 end +
  case ${sourceOf} when 'request' then 1 when 'subscription' then 2 when 'payment-link' then 3 else 4 end)`

const totals = (organization: string): string => `
  insert into tolem_daily_totals (organization_id, mode, connection_id, status, day, shard, invoice_count, amount,
    refunded, kind, source)
  select organization_id, mode, connection_id, status, day, ${shardOf}, count(*), sum(amount), 0, kind,
    ${sourceOf}
  from tolem_invoices where organization_id = ${organization}
  group by 1, 2, 3, 4, 5, 6, 10, 11`

const refunds = (organization: string, now: number): string => `
  insert into tolem_refunds (id, invoice_id, organization_id, amount, status, created_at)
  select 'ref_' || substr(id, 5), id, organization_id, 100, 'unknown', ${now - 60_000}
  from tolem_invoices where organization_id = ${organization} and mode = 'live' and status = 'paid'
  order by created_at desc limit ${concerns.refunds}`

const subscriptions = (organization: string, now: number): string => `${numbers(0, concerns.runs - 1)}
  insert into tolem_subscriptions (id, organization_id, mode, status, amount, kind, description, step, every,
    anchor_at, retry_hours, misfire, next_index, next_run_at, runs, faults, fault, created_at, updated_at, sequence,
    version)
  select 'sub_bench' || cast(n as text), ${organization}, 'live', 'active', 50000, 'qr', 'Membership', 'month', 1,
    ${now}, '', 'skip', 1, ${now - 3_600_000} + n, 0, 2, 'connection_not_active', ${now}, ${now}, 1, 1
  from numbers`

const endpoints = (organization: string, now: number): string => `${numbers(0, 2)}
  insert into tolem_endpoints (id, organization_id, mode, url, events, secret, disabled, failure_count, pause_count,
    paused_until, created_at, updated_at)
  select 'whe_bench' || cast(n as text), ${organization}, 'live', 'https://shop.example/hooks/' || cast(n as text), '',
    '', 0, 0, 0, case when n = 0 then ${now + dayMs} end, ${now}, ${now}
  from numbers`

const deliveries = (organization: string, now: number): string => `
  insert into tolem_deliveries (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status,
    attempt_count, due_at, ready_at, created_at, completed_at)
  select 'del_' || substr(id, 5), 'whe_bench1', organization_id, 'live', 'invoice.paid', id, 'evt_' || substr(id, 5), 2,
    'failed', 10, ${now}, ${now}, created_at, ${now - 3_600_000}
  from tolem_invoices where organization_id = ${organization} and mode = 'live' and status = 'paid'
  order by created_at desc limit ${concerns.deliveries}`
