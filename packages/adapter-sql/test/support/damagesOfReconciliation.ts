/** Damages to days that are compared, to work items, and to wishes for letters. */
import type { Damages } from "./damage.ts"
import { own } from "./reasons.ts"

const day = "day = '2026-01-01'"
const owner = "account_id = 'acc_owner'"
const first = "id = 'wki_1'"

export const damagesOfReconciliation: Damages = {
  reconciliations: {
    organization_id: [["'x'", day, "reconciliations_are_sound"]],
    connection_id: [["'x'", day, "work_items_are_sound"]],
    day: [["'x'", day, "reconciliations_are_sound"]],
    status: [["'x'", day, "reconciliations_are_sound"]],
    due_at: [["1", day, "reconciliations_are_sound"]],
    tries: [["-1", day, "reconciliations_are_sound"]],
    fault: [["'no_answer'", day, "reconciliations_are_sound"]],
    sums: [["null", day, "reconciliations_are_sound"]],
    compared_at: [["null", day, "reconciliations_are_sound"]],
    version: [["0", day, "reconciliations_are_sound"]]
  },
  statement_letters: {
    organization_id: [["'x'", owner, "statement_letters_are_sound"]],
    account_id: [["'x'", owner, "statement_letters_are_sound"]],
    month: [["'x'", owner, "statement_letters_are_sound"]],
    status: [["'x'", owner, "statement_letters_are_sound"]],
    due_at: [["null", owner, "statement_letters_are_sound"]],
    tries: [["-1", owner, "statement_letters_are_sound"]],
    sent_month: [["'2099-01'", owner, "statement_letters_are_sound"]],
    reason: own,
    created_at: [["9999999999999", owner, "statement_letters_are_sound"]],
    version: [["0", owner, "statement_letters_are_sound"]]
  },
  work_items: {
    id: own,
    organization_id: [["'org_client'", first, "work_items_are_sound"]],
    connection_id: [["'x'", first, "work_items_are_sound"]],
    day: [["'2026-01-02'", first, "work_items_are_sound"]],
    subject: [["'x'", first, "work_items_are_sound"]],
    kind: [["'missing_here'", first, "work_items_are_sound"]],
    cause: [["'x'", first, "work_items_are_sound"]],
    payment: own,
    invoice_id: [["'inv_none'", first, "work_items_are_sound"]],
    refund_id: [["'ref_1'", first, "work_items_are_sound"]],
    amount_here: [["amount_there", first, "work_items_are_sound"]],
    amount_there: [["0", first, "work_items_are_sound"]],
    status: [["'open'", first, "work_items_are_sound"]],
    found_at: [["9999999999999", first, "work_items_are_sound"]],
    resolved_at: [["null", first, "work_items_are_sound"]],
    resolution: [["'gone'", first, "work_items_are_sound"]],
    resolved_by: [["'x'", first, "work_items_are_sound"]],
    note: [["null", first, "work_items_are_sound"]],
    version: [["0", first, "work_items_are_sound"]]
  }
}
