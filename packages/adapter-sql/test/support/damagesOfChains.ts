/** What can happen to chained records: statements, and the rule that finds it. */

const newest = "(select max(id) from tolem_audit where organization_id = 'org_shop')"
const newestLink =
  "chain = 'audit/org_shop' and position = (select length from tolem_chain_heads where chain = 'audit/org_shop')"

export const damagesOfChains: ReadonlyArray<readonly [statements: string, rule: string]> = [
  // A column that is written nowhere else.
  ["update tolem_audit set actor_id = 'acc_other' where action = 'key.created'", "records_are_chained"],
  ["update tolem_tariff_orders set created_at = created_at + 1 where id = 'trf_3'", "records_are_chained"],
  ["update tolem_referral_earnings set created_at = created_at + 1 where id = 'ern_1'", "records_are_chained"],
  // The newest.
  [`delete from tolem_audit where id = ${newest}`, "chained_records_are_kept"],
  [
    `delete from tolem_audit where id = ${newest}; delete from tolem_chain_links where ${newestLink}`,
    "chains_are_whole"
  ],
  [
    `delete from tolem_audit where id = ${newest}; delete from tolem_chain_links where ${newestLink};
     update tolem_chain_heads set length = length - 1, digest = (select l.digest from tolem_chain_links l
       where l.chain = 'audit/org_shop' and l.position = length - 1) where chain = 'audit/org_shop'`,
    "heads_are_sealed"
  ],
  ["delete from tolem_tariff_orders where id = 'trf_3'", "chained_records_are_kept"],
  ["delete from tolem_referral_earnings where id = 'ern_2'", "chained_records_are_kept"],
  // A pair that is exchanged.
  [
    `update tolem_audit set subject = (select b.subject from tolem_audit b where b.id <> tolem_audit.id
       and b.action = tolem_audit.action and b.organization_id = 'org_shop' limit 1)
     where action = 'endpoint.created' and organization_id = 'org_shop'`,
    "records_are_chained"
  ],
  [
    `update tolem_tariff_orders set id = 'trf_x' where id = 'trf_1';
     update tolem_tariff_orders set id = 'trf_1' where id = 'trf_2';
     update tolem_tariff_orders set id = 'trf_2' where id = 'trf_x'`,
    "records_are_chained"
  ],
  [
    `update tolem_referral_earnings set order_id = 'x' where id = 'ern_1';
     update tolem_referral_earnings set order_id = 'trf_1' where id = 'ern_2';
     update tolem_referral_earnings set order_id = 'trf_2' where id = 'ern_1'`,
    "records_are_chained"
  ],
  [
    `update tolem_chain_links set content = (select b.content from tolem_chain_links b
       where b.chain = 'audit/org_shop' and b.position = 3 - tolem_chain_links.position)
     where chain = 'audit/org_shop' and position in (1, 2)`,
    "links_follow"
  ],
  // One that nobody wrote.
  [
    `insert into tolem_audit (id, action, organization_id, subject, actor_kind, created_at)
       values ('aud_x', 'key.deleted', 'org_shop', 'key_x', 'operator', 1)`,
    "records_are_chained"
  ],
  // Ends, and whole chains.
  ["delete from tolem_chain_heads where chain = 'audit/org_shop'", "chains_are_whole"],
  ["delete from tolem_chain_heads where chain = 'tariff_orders/org_shop'", "chains_are_whole"],
  ["delete from tolem_chain_heads where chain = 'chains'", "chains_are_whole"],
  [
    `delete from tolem_referral_earnings; delete from tolem_chain_links where chain like 'referral_earnings/%';
     delete from tolem_chain_heads where chain like 'referral_earnings/%'`,
    "chains_are_whole"
  ],
  [
    "delete from tolem_chain_links where chain = 'chains'; delete from tolem_chain_heads where chain = 'chains'",
    "chains_are_whole"
  ],
  ["delete from tolem_chain_links; delete from tolem_chain_heads", "chains_are_whole"]
]
