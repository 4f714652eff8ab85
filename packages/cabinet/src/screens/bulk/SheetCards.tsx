/** What a file holds, what is wrong in it, and the invoices that are made of it. */
import { useMutation } from "@tanstack/react-query"
import { callFile } from "../../api/Call.ts"
import { useGiven } from "../../app/Places.ts"
import { saveFile } from "../../browser/Files.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import { TillCashier, useTillCashier } from "../till/TillCashier.tsx"
import styles from "./Bulk.module.css"
import { type Outcome, type Sheet, useMaking } from "./Outcomes.ts"
import { WrongRows } from "./Rows.tsx"
import { useBulkTexts } from "./Texts.ts"

/** The cards of a file whose rows could be read. */
export const SheetCards = ({ sheet }: { readonly sheet: Sheet }) => {
  const words = useBulkTexts()
  const { able, cashier, choose } = useTillCashier()
  const { rows, faults, total, ignored } = sheet
  const { outcomes, isBusy, failure, make } = useMaking(rows, cashier?.id ?? null)
  const tiyn = rows.reduce((sum, { invoice }) => sum + Math.round(invoice.amount * 100), 0)
  const hasBegun = isBusy || outcomes.length > 0
  const isDone = outcomes.length === rows.length
  const progress = words.progress(count(outcomes.length), count(rows.length))
  return (
    <>
      <Card title={words.found}>
        <p role="status">{words.total(count(total), count(rows.length), count(faults.length))}</p>
        {ignored.length > 0 && <p className={styles["text"]}>{words.ignored(ignored.join(", "))}</p>}
        {cashier !== null && !hasBegun && <TillCashier able={able} cashier={cashier} onChoose={choose} />}
        {hasBegun && (
          <>
            <progress className={styles["progress"]} aria-label={progress} max={rows.length} value={outcomes.length} />
            <p aria-live="polite">{progress}</p>
          </>
        )}
        {failure !== null && (
          <>
            <Refused failure={failure} />
            <p>{words.stopped}</p>
          </>
        )}
        {rows.length > 0 && !isDone && (
          <div>
            <Button isBusy={isBusy} onClick={make}>
              {hasBegun ? words.goOn : words.make(count(rows.length), tenge(tiyn / 100))}
            </Button>
          </div>
        )}
      </Card>
      {outcomes.length > 0 && !isBusy && <Made outcomes={outcomes} />}
      {faults.length > 0 && (
        <Card title={words.bad} text={words.badText}>
          <WrongRows rows={faults.map((fault) => ({ ...fault, column: words.columns[fault.column] }))} />
        </Card>
      )}
    </>
  )
}

const Made = ({ outcomes }: { readonly outcomes: ReadonlyArray<Outcome> }) => {
  const words = useBulkTexts()
  const made = outcomes.filter((outcome) => outcome.made !== null)
  const old = made.filter((outcome) => outcome.made?.isOld === true)
  const failed = outcomes.flatMap(({ row, code }) => (code === null ? [] : [{ row, column: null, value: null, code }]))
  return (
    <Card title={words.made}>
      <p role="status">{words.madeText(count(made.length))}</p>
      {old.length > 0 && <p>{words.before(count(old.length))}</p>}
      {made.length > 0 && <Links made={made} />}
      {failed.length > 0 && (
        <>
          <h3>{words.failed(count(failed.length))}</h3>
          <WrongRows rows={failed} />
        </>
      )}
    </Card>
  )
}

const Links = ({ made }: { readonly made: ReadonlyArray<Outcome> }) => {
  const words = useBulkTexts()
  const { language } = useWords()
  const { params, query } = useGiven()
  const rows = made.map(({ row, invoice, made: found }) => ({
    row,
    amount: invoice.amount,
    description: invoice.description,
    externalOrderId: invoice.externalOrderId,
    name: invoice.customer.name,
    phone: invoice.customer.phone,
    id: found?.id ?? "",
    payUrl: found?.payUrl ?? ""
  }))
  const download = useMutation({
    mutationFn: async (kind: "csv" | "xlsx") => {
      const given = { params, query: { ...query, lang: language, bom: "1" }, body: { rows } }
      saveFile(await callFile(`POST /panel/orgs/:organizationId/bulk/links.${kind}`, given), `tolem-links.${kind}`)
    }
  })
  return (
    <div>
      <p className={styles["buttons"]}>
        <span>{words.links}</span>
        {(["xlsx", "csv"] as const).map((kind) => (
          <Button key={kind} look="second" isSmall isBusy={download.isPending} onClick={() => download.mutate(kind)}>
            {kind.toUpperCase()}
          </Button>
        ))}
      </p>
      {download.error !== null && <Refused failure={download.error} />}
    </div>
  )
}
