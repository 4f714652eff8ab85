/** Makes the invoices of a file, some at a time. What is sent again finds what it has made. */
import { useEffect, useRef, useState } from "react"
import { Refusal } from "../../api/Call.ts"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useForgetInvoices, useGiven } from "../../app/Places.ts"

/** What a file holds. */
export type Sheet = Answer<"POST /panel/orgs/:organizationId/bulk/check">

/** A row that is to be made. */
type Asked = Sheet["rows"][number]

/** What became of a row. */
export interface Outcome extends Asked {
  /** The invoice; null: it was refused. */
  readonly made: { readonly id: string; readonly payUrl: string; readonly isOld: boolean } | null
  readonly code: string | null
}

// As many as the server takes at once, and how often a call is made that was not answered.
const perCall = 100
const tries = 3

/** What of the rows is done, whether more is under way, and what has stopped it. */
export const useMaking = (rows: ReadonlyArray<Asked>, connectionId: string | null) => {
  const given = useGiven()
  const forget = useForgetInvoices()
  const [outcomes, setOutcomes] = useState<ReadonlyArray<Outcome>>([])
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  const send = async (part: ReadonlyArray<Asked>, left = tries): Promise<ReadonlyArray<Outcome>> => {
    const invoices = part.map(({ invoice }) => invoice)
    const body = { invoices, ...(connectionId !== null && { connectionId }) }
    try {
      const { results } = await ask("POST /panel/orgs/:organizationId/bulk", { ...given, body })
      return part.map((asked, at) => outcomeOf(asked, results[at]))
    } catch (refusal) {
      const isLost = refusal instanceof Refusal && (refusal.code === "offline" || refusal.status >= 500)
      if (!isLost || left <= 1) throw refusal
      return send(part, left - 1)
    }
  }

  const make = async () => {
    setBusy(true)
    setFailure(null)
    let done = outcomes
    try {
      while (done.length < rows.length && isShown.current) {
        done = [...done, ...(await send(rows.slice(done.length, done.length + perCall)))]
        setOutcomes(done)
      }
    } catch (refusal) {
      setFailure(refusal)
    }
    setBusy(false)
    void forget()
  }

  return { outcomes, isBusy, failure, make: () => void make() }
}

type Result = Answer<"POST /panel/orgs/:organizationId/bulk">["results"][number]

const outcomeOf = (asked: Asked, result: Result | undefined): Outcome => {
  const invoice = result?.invoice
  if (invoice === undefined) return { ...asked, made: null, code: result?.error ?? "internal_error" }
  const { id, payUrl } = invoice
  return { ...asked, made: { id, payUrl, isOld: "idempotentReplay" in invoice }, code: null }
}
