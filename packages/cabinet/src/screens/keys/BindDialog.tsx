/** Binds a key to a cashier, or to none. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import type { Cashier } from "../cashiers/Cashier.ts"

type Key = Answer<"GET /panel/orgs/:organizationId/api-keys">["keys"][number]

interface BindDialogProps {
  readonly entry: Key
  readonly cashiers: ReadonlyArray<Cashier>
  readonly onClose: () => void
}

/** The dialog. What was bound before can be bound again at once. */
export const BindDialog = ({ entry, cashiers, onClose }: BindDialogProps) => {
  const { texts } = useWords()
  const { keys } = texts
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const [chosen, setChosen] = useState(entry.connectionId)
  const explain = useExplanation()
  const bind = {
    mutationFn: (connectionId: string | null) => {
      const given = { params: { ...params, id: entry.id }, query, body: { connectionId } }
      return askFresh("PATCH /panel/orgs/:organizationId/api-keys/:id", given)
    },
    onSettled: () => forget("GET /panel/orgs/:organizationId/api-keys")
  }
  const binding = useMutation(bind)
  // The dialog is closed by then.
  const undo = useMutation({
    ...bind,
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (binding.isPending) return
    binding.mutate(chosen, {
      onSuccess: () => {
        notify({ title: texts.team.saved, tone: "good", undo: () => undo.mutate(entry.connectionId) })
        onClose()
      }
    })
  }
  return (
    <Dialog title={keys.bindTitle(entry.name)} text={keys.bindText} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <fieldset className={rows["choices"]}>
          <legend className="visually-hidden">{keys.bind}</legend>
          <CheckField
            type="radio"
            name="cashier"
            label={keys.bindNone}
            hint={keys.bindNoneText}
            checked={chosen === null}
            onChange={() => setChosen(null)}
          />
          {cashiers.map(({ id, name, status }) => (
            <CheckField
              key={id}
              type="radio"
              name="cashier"
              label={name}
              hint={texts.cashiers.statuses[status]}
              checked={chosen === id}
              onChange={() => setChosen(id)}
            />
          ))}
        </fieldset>
        {binding.error !== null && <Refused failure={binding.error} />}
        <Button type="submit" isBusy={binding.isPending}>
          {texts.common.save}
        </Button>
      </form>
    </Dialog>
  )
}
