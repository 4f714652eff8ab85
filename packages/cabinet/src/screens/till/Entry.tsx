/** What is to be paid: the amount by a large pad or the keyboard, what for, and how. */
import { Banknote, Delete } from "lucide-react"
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react"
import { readySound } from "../../browser/Sound.ts"
import { phoneDigits, phoneText } from "../../login/PhoneText.ts"
import { amountOf, amountText, faultOf } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { Field } from "../../parts/Field.tsx"
import { tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import segments from "../../parts/Segments.module.css"
import { useWords } from "../../parts/Words.tsx"
import { useCreation } from "./Creation.ts"
import styles from "./Till.module.css"
import { TillCashier, useTillCashier } from "./TillCashier.tsx"

const ways = ["qr", "phone"] as const
const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0"]
const maxComment = { qr: 100, phone: 60 } as const

/** The form. */
export const Entry = ({ onMade }: { readonly onMade: (id: string) => void }) => {
  const { texts } = useWords()
  const { till } = texts
  const [amount, setAmount] = useState("")
  const [comment, setComment] = useState("")
  const [way, setWay] = useState<"qr" | "phone">("qr")
  const [phone, setPhone] = useState("")
  const [wrong, setWrong] = useState<"amount" | "phone" | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const creation = useCreation((id) => {
    setAmount("")
    setComment("")
    setPhone("")
    onMade(id)
  })
  const { able, cashier, choose } = useTillCashier()
  const tengeTyped = amountOf(amount)
  const fault = faultOf(amount)
  useEffect(() => input.current?.focus(), [])

  const press = (next: string) => {
    setAmount(amountText(next))
    setWrong(null)
    creation.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (creation.isPending) return
    readySound()
    const digits = phoneDigits(phone)
    const found = tengeTyped === null ? "amount" : way === "phone" && digits.length < 10 ? "phone" : null
    setWrong(found)
    if (found === "amount") input.current?.focus()
    if (found === "phone") event.currentTarget.querySelector<HTMLInputElement>('input[type="tel"]')?.focus()
    if (found !== null || tengeTyped === null) return
    const description = comment.trim() === "" ? null : comment.trim()
    const to = way === "phone" ? `7${digits}` : null
    creation.mutate({ amount: tengeTyped, description, kind: way, phone: to, connectionId: cashier?.id ?? null })
  }
  return (
    <form className={styles["entry"]} onSubmit={submit} noValidate>
      <Sum
        input={input}
        amount={amount}
        isWrong={wrong === "amount" || fault !== null}
        onAmount={press}
        comment={comment}
        most={maxComment[way]}
        onComment={setComment}
      />
      <p className={styles["wrong"]} id="till-wrong" role="alert">
        {fault !== null ? texts.common.amountFaults[fault] : wrong === "amount" && till.tooSmall}
      </p>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{till.way}</legend>
        {ways.map((each) => (
          <button key={each} type="button" aria-pressed={each === way} onClick={() => setWay(each)}>
            {each === "qr" ? till.byQr : till.byPhone}
          </button>
        ))}
      </fieldset>
      {way === "phone" && (
        <Field
          label={till.phone}
          before="+7"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="700 000 00 00"
          value={phone}
          wrong={wrong === "phone" ? texts.login.phoneShort : null}
          onChange={({ currentTarget }) => setPhone(phoneText(phoneDigits(currentTarget.value)))}
        />
      )}
      {cashier !== null && <TillCashier able={able} cashier={cashier} onChoose={choose} />}
      <Pad amount={amount} onChange={press} />
      {creation.error !== null && <Refused failure={creation.error} />}
      <Button type="submit" className={styles["charge"]} isBusy={creation.isPending}>
        <Banknote size={22} aria-hidden />
        {tengeTyped === null ? till.charge : `${till.charge} ${tenge(tengeTyped)}`}
      </Button>
    </form>
  )
}

interface SumProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly amount: string
  readonly isWrong: boolean
  readonly onAmount: (amount: string) => void
  readonly comment: string
  /** The most characters of a comment. */
  readonly most: number
  readonly onComment: (comment: string) => void
}

/** How much, and what for. */
const Sum = ({ input, amount, isWrong, onAmount, comment, most, onComment }: SumProps) => {
  const { texts } = useWords()
  return (
    <div className={styles["amount"]} data-wrong={isWrong || undefined}>
      <input
        ref={input}
        aria-label={texts.till.amount}
        aria-invalid={isWrong || undefined}
        aria-describedby="till-wrong"
        inputMode="none"
        autoComplete="off"
        placeholder="0"
        value={amount}
        onChange={({ currentTarget }) => onAmount(currentTarget.value)}
      />
      <span aria-hidden="true">₸</span>
      <input
        className={styles["comment"]}
        aria-label={texts.till.comment}
        placeholder={`${texts.till.comment} (${texts.common.optional})`}
        maxLength={most}
        autoComplete="off"
        value={comment}
        onChange={({ currentTarget }) => onComment(currentTarget.value)}
      />
    </div>
  )
}

interface PadProps {
  readonly amount: string
  readonly onChange: (amount: string) => void
}

const Pad = ({ amount, onChange }: PadProps) => {
  const { texts } = useWords()
  return (
    <fieldset className={styles["pad"]}>
      <legend className="visually-hidden">{texts.till.keys}</legend>
      {keys.map((key) => (
        <button key={key} type="button" onClick={() => onChange(`${amount}${key}`)}>
          {key}
        </button>
      ))}
      <button type="button" aria-label={texts.till.erase} onClick={() => onChange(amount.slice(0, -1))}>
        <Delete size={26} aria-hidden />
      </button>
    </fieldset>
  )
}
