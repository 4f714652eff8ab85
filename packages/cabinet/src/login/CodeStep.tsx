/** The second step of a login: the code that came. It is tried as soon as all of its digits are there. */
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react"
import { Button } from "../parts/Button.tsx"
import { Field } from "../parts/Field.tsx"
import { useNow } from "../parts/Now.ts"
import { codeOf, Refused, useExplanation } from "../parts/Refused.tsx"
import { useFirstWords } from "../parts/Words.tsx"
import styles from "./Login.module.css"
import type { Challenge, LoginState } from "./LoginState.ts"
import { countdown, phoneDigits } from "./PhoneText.ts"

const digits = 6

interface CodeStepProps {
  readonly login: LoginState
  readonly challenge: Challenge
  /** As it was typed. */
  readonly phone: string
  /** Null: the person did not say one. */
  readonly name: string | null
  /** What the button that tries the code says; default: that it logs in. */
  readonly action?: string
  /** Whether another phone may be chosen. */
  readonly isOfOnePhone?: boolean
}

/** The form. */
export const CodeStep = ({ login, challenge, phone, name, action, isOfOnePhone = false }: CodeStepProps) => {
  const { texts } = useFirstWords()
  const explain = useExplanation()
  const [code, setCode] = useState("")
  const input = useRef<HTMLInputElement>(null)
  const isWrong = login.failure !== null && codeOf(login.failure) === "invalid_code"
  const { title, advice } = explain(login.failure)

  // A wrong code is typed over, and a new one into an empty field.
  useEffect(() => {
    if (isWrong) input.current?.select()
  }, [isWrong])
  useEffect(() => {
    if (challenge.count > 1) setCode("")
    input.current?.focus()
  }, [challenge.count])

  const type = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const typed = currentTarget.value.replace(/\D/g, "").slice(0, digits)
    setCode(typed)
    if (typed.length === digits && typed !== code) void login.enter(typed, name)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (code.length === digits) void login.enter(code, name)
    else input.current?.focus()
  }

  return (
    <form onSubmit={submit} noValidate>
      <Field
        ref={input}
        label={texts.login.code}
        className={styles["code"]}
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        value={code}
        onChange={type}
        readOnly={login.isSpent}
        wrong={isWrong ? [title, advice].filter(Boolean).join(" ") : null}
        autoFocus
      />
      {login.failure !== null && !isWrong && <Refused failure={login.failure} />}
      {!login.isSpent && (
        <Button type="submit" isBusy={login.isBusy}>
          {action ?? texts.login.enter}
        </Button>
      )}
      <Again login={login} challenge={challenge} phone={`7${phoneDigits(phone)}`} isOfOnePhone={isOfOnePhone} />
    </form>
  )
}

/** Another code, once it may be asked for; by another way, if there is one. */
const Again = ({ login, challenge, phone, isOfOnePhone }: Omit<CodeStepProps, "name" | "action">) => {
  const { texts } = useFirstWords()
  const at = Math.max(challenge.againAt, login.heldUntil)
  const left = countdown(at, useNow(1000))
  const others = challenge.channels.filter((channel) => channel !== challenge.channel)
  return (
    <div className={styles["again"]}>
      {challenge.count > 1 && left !== null && <p role="status">{texts.login.sentAgain}</p>}
      {left !== null ? (
        <p className={styles["quiet"]}>{texts.login.resendIn(left)}</p>
      ) : (
        <Button
          look={login.isSpent ? "main" : "second"}
          isBusy={login.isBusy}
          onClick={() => void login.send(phone, challenge.channel)}
        >
          {texts.login.resend}
        </Button>
      )}
      {left === null &&
        others.map((channel) => (
          <Button key={channel} look="plain" isBusy={login.isBusy} onClick={() => void login.send(phone, channel)}>
            {channel === "email" ? texts.login.viaEmail : texts.login.via(channel)}
          </Button>
        ))}
      {isOfOnePhone !== true && (
        <Button look="plain" onClick={login.back}>
          {texts.login.otherPhone}
        </Button>
      )}
    </div>
  )
}
