/**
 * Fills a migrated database with invoices, as if merchants had made them over the last year: in SQL, one statement a
 * table and a chunk. What `tolem verify` checks holds: events without gaps, the status of the last one, daily totals.
 */
import { during } from "@tolem/testing-harness/ProgressLine"
import type pg from "pg"
import { onConnection } from "./World.ts"

/** Most rows of a statement: it bounds memory and the log of the database. */
const chunk = 500_000

const dayMs = 86_400_000

/** How long what is pending waits, from when it was made: no agent of a server has it due. */
export const waitsMs: number = 2 * 365 * dayMs

/** As with `--delivery-days 30`. Attempts are in parts of a month each and left out. */
const deliveriesKeptMs = 30 * dayMs

/**
 * Makes `count` invoices of each organization, then tells the planner and the visibility map of them. The newest
 * `waiting` of each are pending, and those of as many before them that are paid have deliveries pending; what else was
 * paid within the time that deliveries are kept has one that has arrived.
 */
export const fill = (url: string, organizationIds: ReadonlyArray<string>, count: number, waiting = 0): Promise<void> =>
  onConnection(url, async (client) => {
    await client.query("set maintenance_work_mem = '1GB'")
    const indexes = await withoutIndexes(client)
    for (const organizationId of organizationIds) await fillOne(client, organizationId, count, waiting)
    for (const definition of indexes) await during(definition.split(" USING ")[0]!, () => client.query(definition))
    await client.query(totals)
    await client.query(heads)
    await client.query(receipts)
    // All have their place already: without this, servers would go through millions of them while others are measured.
    await client.query("truncate tolem_feed_arrivals")
    await during("vacuum and analyze", () => client.query("vacuum analyze"))
    await client.query("checkpoint")
  })

const fillOne = async (client: pg.Client, organizationId: string, count: number, waiting: number) => {
  const newest = Date.now() - dayMs
  const step = Math.floor((365 * dayMs) / count)
  const keptFrom = Date.now() - deliveriesKeptMs
  for (let from = 0; from < count; from += chunk) {
    const to = Math.min(count, from + chunk) - 1
    const first = newest - (count - from) * step
    const values = [organizationId, from, to, first, step, count - waiting, waiting, keptFrom, waitsMs]
    await during(`${from} of ${count} invoices made`, () => client.query(invoices, values))
  }
}

// Built of all rows at once, indexes take a fraction of the time. Those of constraints stay.
const withoutIndexes = async (client: pg.Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid in ('tolem_invoices'::regclass, 'tolem_feed'::regclass)
       and not exists (select 1 from pg_constraint where conindid = indexrelid)`
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

const array = (text: string): string => `(array['${text.split(" ").join("', '")}'])`

/** Words that names and descriptions are made of, drawn evenly. */
export const words = {
  first: `Aigerim Aruzhan Dana Madina Zarina Asel Kamila Saltanat Aliya Gulnara Nurlan Daulet Yerlan Timur Arman Bolat
    Serik Askar Ruslan Marat`.split(/\s+/),
  last: `Akhmetov Omarov Ospanov Iskakov Suleimenov Abdrakhmanov Kim Ivanov Smagulov Zhunusov Kaliyev Nurgaliyev
    Tulegenov Bekov Sadykov Mukhametov Aitbayev Kenzhebekov
    Dzhaksybekov Yermekov Baimukhanov Seitkali Amanov Rakhimov Utegenov
    Kasymov Zhaksylykov Muratov Tokayev Beisenov Karimov Alimov Dosanov Yessenov Kurmanov Shakirov Temirov Orazov
    Sarsenov Zhumabayev`.split(/\s+/),
  thing: `coffee tea samsa baursak manty plov lagman bread milk honey apples pears carpet kettle lamp chair table
    notebook pencil ticket taxi haircut massage yoga course lesson repair cleaning delivery flowers`.split(/\s+/)
}

const pick = (from: ReadonlyArray<string>, seed: string): string =>
  `${array(from.join(" "))}[1 + (hashint8(n * 7 + ${seed}) & 2147483647) % ${from.length}]`

const letters = "0123456789abcdefghjkmnpqrstvwxyz"

/** As the product makes them, so that searches meet as many of their groups: letters of time, then random ones. */
const identifier = (createdAt: string, seed: string): string => {
  const places = Array.from({ length: 10 }, (_, at) => 5 * (9 - at))
  const time = places.map((bits) => `substr('${letters}', 1 + ((${createdAt} >> ${bits}) & 31)::int, 1)`).join(" || ")
  const random = `translate(lower(encode(decode(md5(${seed}), 'hex'), 'base64')), 'ilou+/=', '0123456')`
  return `${time} || substr(${random}, 1, 16)`
}

// Of ten invoices seven are paid, one each is expired, cancelled, and failed. Places in the feed are in their order.
const invoices = `
  with made as (
    insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, description,
      external_order_id, customer_name, customer_phone, metadata, receipt_number, qr_url, deep_link, expires_at,
      paid_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
    select id, $1, 'sandbox', 'qr', status, amount, 0, description, order_id, name, phone,
      '{"table":7}', receipt, 'http://localhost:3000/pay/' || id, 'tolem-sandbox://pay/' || id, created_at + 180000,
      case status when 'paid' then created_at + 60000 end, created_at,
      case status when 'pending' then created_at else created_at + 60000 end, 0,
      case status when 'pending' then created_at + $9::bigint end, case status when 'pending' then 1 else 2 end,
      case status when 'pending' then 1 else 2 end,
      to_char(to_timestamp(created_at / 1000) at time zone 'Asia/Almaty', 'YYYY-MM-DD'),
      lower(concat_ws(chr(31), id, order_id, description, name, phone, receipt))
    from (
      select 'inv_' || ${identifier("created_at", "n::text || $1")} as id, status, created_at,
        100 * (1 + (hashint8(n) & 2147483647) % 100000)::bigint as amount,
        ${pick(words.thing, "1")} || ', ' || ${pick(words.thing, "2")} as description,
        'ORD-' || upper(substr(md5(n::text), 1, 10)) as order_id,
        ${pick(words.first, "3")} || ' ' || ${pick(words.last, "4")} as name,
        '77' || lpad(((hashint8(n + 5) & 2147483647) % 1000000000)::text, 9, '0') as phone,
        case status when 'paid' then lpad(n::text, 8, '0') end as receipt
      from (
        select n, case when n >= $6::bigint then 'pending' else
            (array['paid', 'paid', 'expired', 'paid', 'paid', 'cancelled', 'paid', 'paid', 'failed', 'paid'])
              [1 + n % 10]
          end as status,
          $4::bigint + $5::bigint * (n - $2::bigint) as created_at
        from generate_series($2::bigint, $3::bigint) as n
      ) as numbered
    ) as made
    order by created_at
    returning id, organization_id, status, sequence as last, created_at, updated_at
  ), told as (
    insert into tolem_events (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded,
      late, created_at)
    select id, s, 'evt_' || substr(id, 5, 24) || lpad(s::text, 2, '0'), organization_id,
      case s when 1 then 'invoice.created' else 'invoice.' || status end, case s when 2 then 'pending' end,
      case s when 1 then 'pending' else status end, 'api', 0, 0, case s when 1 then created_at else updated_at end
    from made, generate_series(1, made.last) as s
    order by id, s
    returning invoice_id, sequence, id, organization_id, type, created_at
  ), placed as (
    insert into tolem_feed (organization_id, mode, position, event_id, type, invoice_id, sequence, reached_at)
    select organization_id, 'sandbox', 2 * $2::bigint + row_number() over (order by invoice_id, sequence), id, type,
      invoice_id, sequence, max(created_at) over (order by invoice_id, sequence)
    from told
    order by invoice_id, sequence
  )
  insert into tolem_deliveries (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status,
    attempt_count, due_at, ready_at, lease, created_at, completed_at, starts)
  select 'dlv_' || substr(told.id, 5) || '_' || substr(p.id, 5), p.id, told.organization_id, 'sandbox', told.type,
    invoice_id, told.id, sequence, case when is_due then 'pending' else 'delivered' end,
    case when is_due then 0 else 1 end, told.created_at + $9::bigint, told.created_at, null, told.created_at,
    case when is_due then null else told.created_at + 1000 end, case when is_due then 0 else 1 end
  from told join tolem_endpoints p on p.organization_id = told.organization_id
    cross join lateral (
      select told.created_at >= $4::bigint + $5::bigint * ($6::bigint - $7::bigint - $2::bigint) as is_due
    ) as due
  where type = 'invoice.paid' and (is_due or told.created_at >= $8::bigint)`

/** The first shard of invoices with a QR that requests have made. */
const shardOfRequests = 10_000_000

const totals = `
  insert into tolem_daily_totals (organization_id, mode, connection_id, status, day, shard, invoice_count, amount,
    refunded, kind, source)
  select organization_id, mode, '', status, day, ${shardOfRequests}, count(*), sum(amount), 0, 'qr', 'request'
  from tolem_invoices group by organization_id, mode, status, day`

const heads = `
  insert into tolem_feed_heads (organization_id, mode, position, reached_at)
  select organization_id, mode, max(position), max(reached_at) from tolem_feed group by organization_id, mode`

const receipts = `
  insert into tolem_receipt_counters (organization_id, value)
  select organization_id, max(receipt_number::bigint) from tolem_invoices group by organization_id`
