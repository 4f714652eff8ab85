/** What cannot be undone: it is done once the name of the thing is typed. */
import { type FormEvent, useState } from "react"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Field } from "./Field.tsx"
import { Refused } from "./Refused.tsx"
import { useWords } from "./Words.tsx"

interface NameConfirmProps {
  readonly title: string
  readonly text: string
  /** What has to be typed. */
  readonly name: string
  readonly action: string
  readonly isBusy: boolean
  readonly failure: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** The dialog. */
export const NameConfirm = ({ title, text, name, action, isBusy, failure, onConfirm, onClose }: NameConfirmProps) => {
  const { texts } = useWords()
  const [typed, setTyped] = useState("")
  const isRight = typed.trim() === name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRight) onConfirm()
  }
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={texts.keys.typeName(name)}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoFocus
        />
        {failure !== null && <Refused failure={failure} />}
        <Button type="submit" look="bad" isBusy={isBusy} disabled={!isRight}>
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
