/** Gives the person another name. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ask, refreshSession } from "../../api/Session.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"

interface NameDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** The dialog. */
export const NameDialog = ({ name, onClose }: NameDialogProps) => {
  const { texts } = useWords()
  const [typed, setTyped] = useState(name)
  const change = useMutation({
    mutationFn: async () => {
      await ask("PATCH /panel/account", { body: { name: typed.trim() } })
      await refreshSession()
    },
    onSuccess: onClose
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }
  return (
    <Dialog title={texts.profile.changeName} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={texts.login.personName}
          hint={texts.login.nameHint}
          autoComplete="name"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoFocus
        />
        {change.error !== null && <Refused failure={change.error} />}
        <Button type="submit" isBusy={change.isPending}>
          {texts.common.save}
        </Button>
      </form>
    </Dialog>
  )
}
