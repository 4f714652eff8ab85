/** Ends a difference with what a person has found out. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { AreaField } from "../../parts/Field.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import type { Difference } from "./Difference.ts"
import { useReconciliationTexts } from "./Texts.ts"

const shortest = 3

interface AcceptDialogProps {
  readonly difference: Difference
  readonly onClose: () => void
}

/** The dialog. */
export const AcceptDialog = ({ difference: { id }, onClose }: AcceptDialogProps) => {
  const words = useReconciliationTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const [note, setNote] = useState("")
  const [isWrong, setWrong] = useState(false)
  const call = "POST /panel/orgs/:organizationId/reconciliation/differences/:id/accept"
  const accept = useMutation({
    mutationFn: (text: string) => ask(call, { params: { ...params, id }, query, body: { note: text } }),
    onSuccess: () => {
      notify({ title: words.accepted, tone: "good" })
      onClose()
    },
    onSettled: () => forget("GET /panel/orgs/:organizationId/reconciliation")
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (accept.isPending) return
    const text = note.trim()
    setWrong(text.length < shortest)
    if (text.length < shortest) event.currentTarget.querySelector("textarea")?.focus()
    else accept.mutate(text)
  }
  return (
    <Dialog title={words.acceptTitle} text={words.acceptText} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <AreaField
          label={words.note}
          rows={3}
          maxLength={500}
          value={note}
          wrong={isWrong ? words.noteWrong : null}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          autoFocus
        />
        {accept.error !== null && <Refused failure={accept.error} />}
        <Button type="submit" isBusy={accept.isPending}>
          {words.accept}
        </Button>
      </form>
    </Dialog>
  )
}
