/** Totals of days, moved so that they agree with what was done to an invoice. */

const totalsOf = (id: string) =>
  `(organization_id, mode, connection_id, status, day) = (select organization_id, mode, coalesce(connection_id, ''),
    status, day from tolem_invoices where id = '${id}')`
/** The first of the rows by which an invoice counts in the totals of a day. */
export const shardOf = (id: string) => `${totalsOf(id)} and shard = (select min(shard) from tolem_daily_totals
  where ${totalsOf(id)})`

const totals = (shard: number, sign: string) => (id: string) =>
  `insert into tolem_daily_totals
  (organization_id, mode, connection_id, status, day, shard, invoice_count, amount, refunded)
  select organization_id, mode, coalesce(connection_id, ''), status, day, ${shard}, ${sign}1, ${sign}amount,
    ${sign}refunded from tolem_invoices where id = '${id}'`
/** Takes an invoice out of the totals, before it is changed. */
export const leave = totals(1000, "-")
/** Counts an invoice, after it was changed. */
export const join = totals(1001, "")
