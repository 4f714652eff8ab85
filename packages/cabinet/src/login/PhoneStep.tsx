/** The first step of a login: the phone, and the name of a person who is new. */
import { type ChangeEvent, type FormEvent, useState } from "react"
import { Button } from "../parts/Button.tsx"
import { Field } from "../parts/Field.tsx"
import { useNow } from "../parts/Now.ts"
import { codeOf, Refused, useExplanation } from "../parts/Refused.tsx"
import { useFirstWords } from "../parts/Words.tsx"
import type { LoginState } from "./LoginState.ts"
import { countdown, phoneDigits, phoneText } from "./PhoneText.ts"

/** What was typed in this step; it stays when a person comes back to it. */
export interface Typed {
  readonly phone: string
  readonly name: string
}

interface PhoneStepProps {
  readonly login: LoginState
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Whether the person registers, and so says their name. */
  readonly isNew: boolean
}

/** The form. */
export const PhoneStep = ({ login, typed, onType, isNew }: PhoneStepProps) => {
  const { texts } = useFirstWords()
  const explain = useExplanation()
  const [isShort, setShort] = useState(false)
  const held = countdown(login.heldUntil, useNow(login.heldUntil === 0 ? null : 1000))
  const isOfPhone = login.failure !== null && codeOf(login.failure) === "invalid_phone"
  const wrong = isShort ? texts.login.phoneShort : isOfPhone ? explain(login.failure).title : null

  const type = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = currentTarget
    // In the middle of the number the text stays as it is typed, so that the caret does.
    const isAtEnd = selectionStart === value.length
    onType({ ...typed, phone: isAtEnd ? phoneText(phoneDigits(value)) : value.replace(/[^\d +()-]/g, "") })
    setShort(false)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const digits = phoneDigits(typed.phone)
    onType({ ...typed, phone: phoneText(digits) })
    setShort(digits.length < 10)
    if (digits.length < 10) event.currentTarget.querySelector<HTMLInputElement>('input[type="tel"]')?.focus()
    else void login.send(`7${digits}`)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Field
        label={texts.login.phone}
        before="+7"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder="700 000 00 00"
        value={typed.phone}
        onChange={type}
        wrong={wrong}
        autoFocus
      />
      {isNew && (
        <Field
          label={texts.login.personName}
          hint={texts.login.nameHint}
          autoComplete="name"
          maxLength={100}
          value={typed.name}
          onChange={({ currentTarget }) => onType({ ...typed, name: currentTarget.value })}
        />
      )}
      {login.failure !== null && !isOfPhone && <Refused failure={login.failure} />}
      <Button type="submit" isBusy={login.isBusy || held !== null}>
        {held === null ? texts.login.send : texts.login.resendIn(held)}
      </Button>
    </form>
  )
}
