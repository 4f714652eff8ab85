/** Opens a client, and shows its first key this once. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { freshKey } from "../../browser/Keys.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import { KeyShown } from "./KeyShown.tsx"
import { useClientsTexts } from "./Texts.ts"

const phoneLength = 10

interface Typed {
  readonly name: string
  readonly phone: string
  readonly ownerName: string
  readonly idn: string
}

const bodyOf = ({ name, phone, ownerName, idn }: Typed) => ({
  name: name.trim(),
  ownerPhone: `7${phone}`,
  ...(ownerName.trim() !== "" && { ownerName: ownerName.trim() }),
  ...(idn.trim() !== "" && { idn: idn.trim() })
})

/** Sends it. What is pressed again after an answer was lost opens the same client. */
const useOpening = () => {
  const given = useGiven()
  const forget = useForget()
  const [attempt, setAttempt] = useState(freshKey)
  const opening = useMutation({
    mutationFn: (typed: Typed) =>
      askFresh(
        "POST /panel/orgs/:organizationId/clients",
        { ...given, body: bodyOf(typed) },
        { idempotencyKey: attempt }
      ),
    onSettled: () => forget("GET /panel/orgs/:organizationId/clients")
  })
  /** What is typed otherwise is another client. */
  const change = () => {
    setAttempt(freshKey())
    opening.reset()
  }
  return { opening, change }
}

/** The dialog: a form, then the key. */
export const OpenDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useClientsTexts()
  const { texts } = useWords()
  const { opening, change } = useOpening()
  const [typed, setTyped] = useState<Typed>({ name: "", phone: "", ownerName: "", idn: "" })
  const [wrong, setWrong] = useState<"name" | "phone" | null>(null)
  const made = opening.data
  if (made !== undefined) {
    const key = "apiKey" in made ? made.apiKey : null
    return <KeyShown title={words.opened} text={words.openedText} apiKey={key} onClose={onClose} />
  }
  const type = (part: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...part }))
    setWrong(null)
    change()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (opening.isPending) return
    const found = typed.name.trim() === "" ? "name" : typed.phone.length < phoneLength ? "phone" : null
    setWrong(found)
    if (found === null) opening.mutate(typed)
    else event.currentTarget.querySelector<HTMLInputElement>(`[name="${found}"]`)?.focus()
  }
  return (
    <Dialog title={words.open} text={words.openText} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          name="name"
          label={words.name}
          maxLength={100}
          autoComplete="off"
          value={typed.name}
          wrong={wrong === "name" ? words.nameWrong : null}
          onChange={({ currentTarget }) => type({ name: currentTarget.value })}
          autoFocus
        />
        <Field
          name="phone"
          label={words.ownerPhone}
          before="+7"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={phoneText(typed.phone)}
          wrong={wrong === "phone" ? texts.login.phoneShort : null}
          onChange={({ currentTarget }) => type({ phone: phoneDigits(currentTarget.value) })}
        />
        <Field
          label={`${words.ownerName} (${texts.common.optional})`}
          maxLength={100}
          autoComplete="off"
          value={typed.ownerName}
          onChange={({ currentTarget }) => type({ ownerName: currentTarget.value })}
        />
        <Field
          label={`${words.idn} (${texts.common.optional})`}
          hint={words.idnHint}
          inputMode="numeric"
          maxLength={12}
          autoComplete="off"
          value={typed.idn}
          onChange={({ currentTarget }) => type({ idn: currentTarget.value })}
        />
        {opening.error !== null && <Refused failure={opening.error} />}
        <Button type="submit" isBusy={opening.isPending}>
          {words.open}
        </Button>
      </form>
    </Dialog>
  )
}
