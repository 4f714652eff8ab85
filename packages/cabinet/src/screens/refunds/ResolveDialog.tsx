/** A person says what became of a refund, after they have looked at the bank's. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { AreaField, Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { codeOf, Refused } from "../../parts/Refused.tsx"
import { type ListedRefund, useForgetRefunds } from "./Refund.ts"
import styles from "./Refunds.module.css"
import { useRefundsTexts } from "./Texts.ts"

const shortestNote = 3

interface ResolveDialogProps {
  readonly refund: ListedRefund
  readonly onClose: () => void
}

/** Sends it; what became of the refund meanwhile is read anew in any case. */
const useResolution = (id: string, onDone: () => void) => {
  const { params, query } = useGiven()
  const forget = useForgetRefunds()
  return useMutation({
    mutationFn: (body: { readonly made: boolean; readonly reference?: string; readonly note: string }) =>
      askFresh("POST /panel/orgs/:organizationId/refunds/:id/resolve", { params: { ...params, id }, query, body }),
    onSuccess: onDone,
    onSettled: forget
  })
}

/** The dialog. */
export const ResolveDialog = ({ refund: { id, amount }, onClose }: ResolveDialogProps) => {
  const words = useRefundsTexts()
  const notify = useNotify()
  // Nothing is chosen for them: a wrong answer moves what is owed.
  const [isMade, setMade] = useState<boolean | null>(null)
  const [reference, setReference] = useState("")
  const [note, setNote] = useState("")
  const [wrong, setWrong] = useState<"made" | "reference" | "note" | null>(null)
  const resolve = useResolution(id, () => {
    notify({ title: words.saved, tone: "good" })
    onClose()
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (resolve.isPending) return
    const [number, text] = [reference.trim(), note.trim()]
    const isNumbered = isMade !== true || number !== ""
    const fault = isMade === null ? "made" : !isNumbered ? "reference" : text.length < shortestNote ? "note" : null
    setWrong(fault)
    if (isMade === null || fault !== null) {
      return event.currentTarget.querySelector<HTMLElement>(`[name=${fault}]`)?.focus()
    }
    resolve.mutate({ made: isMade, ...(isMade && { reference: number }), note: text })
  }
  const isConflict = resolve.error !== null && codeOf(resolve.error) === "refund_state_conflict"
  return (
    <Dialog title={words.resolveTitle(tenge(amount))} text={words.resolveText} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <fieldset className={styles["outcome"]}>
          <legend>{words.outcome}</legend>
          {wrong === "made" && <p role="alert">{words.outcomeWrong}</p>}
          {([true, false] as const).map((made) => (
            <CheckField
              key={String(made)}
              type="radio"
              name="made"
              label={made ? words.made : words.notMade}
              hint={made ? words.madeText : words.notMadeText}
              checked={isMade === made}
              onChange={() => setMade(made)}
            />
          ))}
        </fieldset>
        {isMade === true && (
          <Field
            label={words.reference}
            name="reference"
            autoComplete="off"
            maxLength={200}
            value={reference}
            wrong={wrong === "reference" ? words.referenceWrong : null}
            onChange={({ currentTarget }) => setReference(currentTarget.value)}
          />
        )}
        <AreaField
          label={words.note}
          name="note"
          rows={2}
          maxLength={500}
          value={note}
          wrong={wrong === "note" ? words.noteWrong : null}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {isConflict && <p role="alert">{words.conflict}</p>}
        {resolve.error !== null && !isConflict && <Refused failure={resolve.error} />}
        <Button type="submit" isBusy={resolve.isPending}>
          {words.save}
        </Button>
      </form>
    </Dialog>
  )
}
