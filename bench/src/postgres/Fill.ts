/**
 * Fills a migrated database with invoices, as if merchants had made them over the last year: in SQL, one statement a
 * table and a chunk. What `tolem verify` checks holds: events without gaps, the status of the last one, daily totals.
 */
import type pg from "pg"
import { onConnection } from "./World.ts"

/** Most rows of a statement: it bounds memory and the log of the database. */
const chunk = 500_000

const dayMs = 86_400_000

/** Makes `count` invoices of each organization, then tells the planner and the visibility map of them. */
export const fill = (url: string, organizationIds: ReadonlyArray<string>, count: number): Promise<void> =>
  onConnection(url, async (client) => {
    await client.query("set maintenance_work_mem = '512MB'")
    const indexes = await withoutSearchIndexes(client)
    for (const organizationId of organizationIds) await fillOne(client, organizationId, count)
    for (const definition of indexes) await client.query(definition)
    await client.query(totals)
    await client.query(receipts)
    await client.query("vacuum analyze")
    await client.query("checkpoint")
  })

const fillOne = async (client: pg.Client, organizationId: string, count: number) => {
  const newest = Date.now() - dayMs
  const step = Math.floor((365 * dayMs) / count)
  for (let from = 0; from < count; from += chunk) {
    const to = Math.min(count, from + chunk) - 1
    const [first, last] = [newest - (count - from) * step, newest - (count - to) * step]
    await client.query(invoices, [organizationId, from, to, first, step])
    await client.query(events, [organizationId, first, last])
  }
}

// Built of all rows at once, an index of trigrams takes a fraction of the time.
const withoutSearchIndexes = async (client: pg.Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'tolem_invoices'::regclass and pg_get_indexdef(indexrelid) like '%USING gin%'`
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

// Of ten invoices seven are paid, one each is expired, cancelled, and failed.
const invoices = `
  insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, description,
    external_order_id, customer_name, customer_phone, metadata, receipt_number, qr_url, deep_link, expires_at, paid_at,
    created_at, updated_at, late, due_at, sequence, version, day, search_text)
  select id, $1, 'sandbox', 'qr', status, amount, 0, description, order_id, name, phone,
    '{"table":7}', receipt, 'http://localhost:3000/pay/' || id, 'tolem-sandbox://pay/' || id, created_at + 180000,
    case status when 'paid' then created_at + 60000 end, created_at, created_at + 60000, 0, null, 2, 2,
    to_char(to_timestamp(created_at / 1000) at time zone 'Asia/Almaty', 'YYYY-MM-DD'),
    lower(concat_ws(chr(31), id, order_id, description, name, phone, receipt))
  from (
    select 'inv_' || lpad(to_hex(created_at), 12, '0') || substr(md5(n::text || $1), 1, 14) as id, status, created_at,
      100 * (1 + (hashint8(n) & 2147483647) % 100000)::bigint as amount,
      ${pick(words.thing, "1")} || ', ' || ${pick(words.thing, "2")} as description,
      'ORD-' || upper(substr(md5(n::text), 1, 10)) as order_id,
      ${pick(words.first, "3")} || ' ' || ${pick(words.last, "4")} as name,
      '77' || lpad(((hashint8(n + 5) & 2147483647) % 1000000000)::text, 9, '0') as phone,
      case status when 'paid' then lpad(n::text, 8, '0') end as receipt
    from (
      select n, (array['paid', 'paid', 'expired', 'paid', 'paid', 'cancelled', 'paid', 'paid', 'failed', 'paid'])
          [1 + n % 10] as status,
        $4::bigint + $5::bigint * (n - $2::bigint) as created_at
      from generate_series($2::bigint, $3::bigint) as n
    ) as numbered
  ) as made
  order by created_at`

const events = `
  insert into tolem_events (invoice_id, sequence, id, organization_id, type, from_status, to_status, source, refunded,
    late, created_at)
  select i.id, s, 'evt_' || substr(i.id, 5, 24) || lpad(s::text, 2, '0'), i.organization_id,
    case s when 1 then 'invoice.created' else 'invoice.' || i.status end, case s when 2 then 'pending' end,
    case s when 1 then 'pending' else i.status end, 'api', 0, 0, case s when 1 then i.created_at else i.updated_at end
  from tolem_invoices i, generate_series(1, 2) as s
  where i.organization_id = $1 and i.mode = 'sandbox' and i.created_at between $2 and $3
  order by i.id, s`

const totals = `
  insert into tolem_daily_totals (organization_id, mode, connection_id, status, day, shard, invoice_count, amount,
    refunded)
  select organization_id, mode, '', status, day, 0, count(*), sum(amount), 0
  from tolem_invoices group by organization_id, mode, status, day`

const receipts = `
  insert into tolem_receipt_counters (organization_id, value)
  select organization_id, max(receipt_number::bigint) from tolem_invoices group by organization_id`
