/** A person's first organization, and each further one. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { ask, refreshSession } from "../api/Session.ts"
import { Offers } from "../app/Offers.tsx"
import { useSession } from "../app/SessionContext.ts"
import { freshKey } from "../browser/Keys.ts"
import { prefer } from "../browser/Preferences.ts"
import { Button } from "../parts/Button.tsx"
import { Field } from "../parts/Field.tsx"
import { codeOf, Refused, useExplanation } from "../parts/Refused.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./Welcome.module.css"

interface Typed {
  readonly name: string
  readonly idn: string
  readonly referralCode: string
}

/** Which field a refusal is about. */
const fieldOf: Readonly<Record<string, keyof Typed>> = {
  invalid_name: "name",
  invalid_idn: "idn",
  invalid_referral_code: "referralCode"
}

const bodyOf = ({ name, idn, referralCode }: Typed) => ({
  name: name.trim(),
  ...(idn !== "" && { idn }),
  ...(referralCode.trim() !== "" && { referralCode: referralCode.trim() })
})

/** Opens an organization and goes there. What is sent again after an answer was lost opens no second one. */
const useOpening = () => {
  const navigate = useNavigate()
  const [sent, setSent] = useState({ text: "", key: "" })
  return useMutation({
    mutationFn: async (typed: Typed) => {
      const body = bodyOf(typed)
      const text = JSON.stringify(body)
      const key = sent.text === text ? sent.key : freshKey()
      setSent({ text, key })
      const made = await ask("POST /panel/orgs", { body }, { idempotencyKey: key })
      prefer({ organization: made.id })
      await refreshSession()
      return made
    },
    onSuccess: ({ id }) => navigate({ to: "/$organizationId", params: { organizationId: id }, replace: true })
  })
}

/** The screen. */
export const Welcome = () => {
  const { texts } = useWords()
  const { start } = texts
  const explain = useExplanation()
  const navigate = useNavigate()
  const { memberships } = useSession()
  const { ref } = useSearch({ strict: false })
  const [typed, setTyped] = useState<Typed>({ name: "", idn: "", referralCode: ref ?? "" })
  const [missing, setMissing] = useState<Partial<Record<keyof Typed, string>>>({})
  const opening = useOpening()
  useTitle(start.title)

  const failedField = opening.error === null ? undefined : fieldOf[codeOf(opening.error)]
  const wrong = (field: keyof Typed): string | null => {
    if (missing[field] !== undefined) return missing[field]
    if (failedField !== field) return null
    const { title, advice } = explain(opening.error)
    return [title, advice].filter(Boolean).join(" ")
  }
  const type = (field: keyof Typed, value: string) => {
    setTyped({ ...typed, [field]: value })
    setMissing({})
    opening.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = {
      ...(typed.name.trim() === "" && { name: start.nameMissing }),
      ...(typed.idn !== "" && typed.idn.length !== 12 && { idn: start.idnWrong })
    }
    setMissing(found)
    const [first] = Object.keys(found)
    if (first === undefined) opening.mutate(typed)
    else event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  return (
    <div className={styles["screen"]}>
      <Offers isAwaited />
      <section className={styles["welcome"]}>
        <header>
          <h1>{start.title}</h1>
          <p>{start.about}</p>
        </header>
        <form onSubmit={submit} noValidate>
          <Field
            name="name"
            label={start.name}
            hint={start.nameHint}
            autoComplete="organization"
            maxLength={100}
            value={typed.name}
            wrong={wrong("name")}
            onChange={({ currentTarget }) => type("name", currentTarget.value)}
            autoFocus
          />
          <Field
            name="idn"
            label={`${start.idn} (${texts.common.optional})`}
            hint={start.idnHint}
            inputMode="numeric"
            autoComplete="off"
            value={typed.idn}
            wrong={wrong("idn")}
            onChange={({ currentTarget }) => type("idn", currentTarget.value.replace(/\D/g, "").slice(0, 12))}
          />
          <Field
            name="referralCode"
            label={`${start.referral} (${texts.common.optional})`}
            hint={start.referralHint}
            autoComplete="off"
            value={typed.referralCode}
            wrong={wrong("referralCode")}
            onChange={({ currentTarget }) => type("referralCode", currentTarget.value)}
          />
          {opening.error !== null && failedField === undefined && <Refused failure={opening.error} />}
          <Button type="submit" isBusy={opening.isPending}>
            {start.open}
          </Button>
          <Button look="plain" onClick={() => void navigate({ to: memberships.length === 0 ? "/profile" : "/" })}>
            {start.later}
          </Button>
        </form>
      </section>
    </div>
  )
}
