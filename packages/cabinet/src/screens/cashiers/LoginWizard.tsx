/** Connects a cashier: a name, the phone that they use at the bank, the code that comes there. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useState } from "react"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { codeOf, Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Cashier } from "./Cashier.ts"
import type { CashierCalls } from "./CashierCalls.ts"
import styles from "./LoginWizard.module.css"

interface LoginWizardProps {
  readonly calls: CashierCalls
  /** Null: one who is not there yet. */
  readonly cashier: Cashier | null
  readonly onClose: () => void
}

type Step = "name" | "phone" | "code"
const steps: ReadonlyArray<Step> = ["name", "phone", "code"]

/** After these the login has to be begun anew. */
const spent = new Set(["challenge_expired", "challenge_used", "too_many_attempts"])

/** The steps at the server. */
const useSteps = (calls: CashierCalls, first: Cashier | null, onDone: () => void) => {
  const [cashier, setCashier] = useState(first)
  const [processId, setProcess] = useState<string | null>(null)
  const [step, setStep] = useState<Step>(first === null ? "name" : "phone")
  const id = cashier?.id ?? ""
  const name = useMutation({
    mutationFn: calls.create,
    onSuccess: (made) => {
      setCashier(made)
      setStep("phone")
    },
    onSettled: calls.forget
  })
  const phone = useMutation({
    mutationFn: async (digits: string) => {
      const begun = processId ?? (await calls.begin(id)).processId
      setProcess(begun)
      return calls.sendPhone(id, { processId: begun, phone: `7${digits}` })
    },
    onSuccess: () => setStep("code"),
    onError: (failure) => {
      if (spent.has(codeOf(failure))) setProcess(null)
    }
  })
  const code = useMutation({
    mutationFn: (otp: string) => calls.sendCode(id, { processId: processId ?? "", otp }),
    onSuccess: onDone,
    onSettled: calls.forget
  })
  const restart = () => {
    setProcess(null)
    code.reset()
    phone.reset()
    setStep("phone")
  }
  return { step, cashier, name, phone, code, restart, isSpent: spent.has(codeOf(code.error)) }
}

/** The dialog. */
export const LoginWizard = ({ calls, cashier: first, onClose }: LoginWizardProps) => {
  const { texts } = useWords()
  const { cashiers } = texts
  const notify = useNotify()
  const wizard = useSteps(calls, first, () => {
    notify({ title: cashiers.connected, tone: "good" })
    onClose()
  })
  const { step } = wizard
  const number = steps.indexOf(step) + 1
  return (
    <Dialog title={wizard.cashier?.name ?? cashiers.connect} text={cashiers.stepTexts[step]} onClose={onClose}>
      <ol className={styles["steps"]} aria-label={cashiers.step(number, steps.length)}>
        {steps.map((each, index) => (
          <li key={each} data-done={index < number || undefined} aria-current={each === step ? "step" : undefined}>
            {cashiers.steps[each]}
          </li>
        ))}
      </ol>
      {step === "name" && (
        <Answer
          key="name"
          label={cashiers.name}
          hint={cashiers.nameHint}
          isBusy={wizard.name.isPending}
          failure={wizard.name.error}
          valueIn={(typed) => (typed.trim() === "" ? null : typed.trim())}
          onAnswer={(value) => wizard.name.mutate(value)}
        />
      )}
      {step === "phone" && (
        <Answer
          key="phone"
          label={texts.login.phone}
          isPhone
          isBusy={wizard.phone.isPending}
          failure={wizard.phone.error}
          valueIn={(typed) => (phoneDigits(typed).length === 10 ? phoneDigits(typed) : null)}
          onAnswer={(value) => wizard.phone.mutate(value)}
        />
      )}
      {step === "code" && (
        <Answer
          key="code"
          label={texts.login.code}
          isCode
          isBusy={wizard.code.isPending}
          failure={wizard.code.error}
          valueIn={(typed) => (typed.trim() === "" ? null : typed.trim())}
          onAnswer={(value) => wizard.code.mutate(value)}
        >
          <Button look={wizard.isSpent ? "main" : "plain"} onClick={wizard.restart}>
            {cashiers.restart}
          </Button>
        </Answer>
      )}
    </Dialog>
  )
}

interface AnswerProps {
  readonly label: string
  readonly hint?: string
  readonly isPhone?: boolean
  readonly isCode?: boolean
  readonly isBusy: boolean
  readonly failure: unknown
  /** What is meant by what was typed; null: it is not whole. */
  readonly valueIn: (typed: string) => string | null
  readonly onAnswer: (value: string) => void
  readonly children?: ReactNode
}

const Answer = ({ label, hint, isPhone, isCode, isBusy, failure, valueIn, onAnswer, children }: AnswerProps) => {
  const { texts } = useWords()
  const [typed, setTyped] = useState("")
  const [isWrong, setWrong] = useState(false)
  const missing = isPhone === true ? texts.login.phoneShort : texts.cashiers.missing
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const value = valueIn(typed)
    setWrong(value === null)
    if (value === null) event.currentTarget.querySelector("input")?.focus()
    else onAnswer(value)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Field
        label={label}
        hint={hint ?? null}
        {...(isPhone === true && { before: "+7", type: "tel", inputMode: "tel", placeholder: "700 000 00 00" })}
        {...(isCode === true && { inputMode: "numeric", autoComplete: "one-time-code" })}
        autoComplete={isCode === true ? "one-time-code" : "off"}
        maxLength={100}
        value={typed}
        wrong={isWrong ? missing : null}
        onChange={({ currentTarget: { value } }) => {
          setTyped(isPhone === true ? phoneText(phoneDigits(value)) : value)
          setWrong(false)
        }}
        autoFocus
      />
      {failure !== null && <Refused failure={failure} />}
      <Button type="submit" isBusy={isBusy}>
        {texts.cashiers.next}
      </Button>
      {children}
    </form>
  )
}
