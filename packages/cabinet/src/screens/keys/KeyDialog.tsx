/** Makes a key, and shows its text this once. */
import { useMutation } from "@tanstack/react-query"
import { Copy } from "lucide-react"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField, SelectField } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Cashier } from "../cashiers/Cashier.ts"

type Made = Answer<"POST /panel/orgs/:organizationId/api-keys">
type Scope = Made["scopes"][number]

const scopes: ReadonlyArray<Scope> = [
  "invoices:read",
  "invoices:write",
  "refunds:write",
  "subscriptions:manage",
  "webhooks:manage"
]

interface KeyDialogProps {
  /** Those that the key may be bound to. */
  readonly cashiers: ReadonlyArray<Cashier>
  /** Told the key's text, which is answered this once. */
  readonly onMade?: (apiKey: string) => void
  readonly onClose: () => void
}

/** The dialog: a form, then the key. */
export const KeyDialog = ({ cashiers, onMade, onClose }: KeyDialogProps) => {
  const { texts } = useWords()
  const { keys } = texts
  const given = useGiven()
  const forget = useForget()
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<Scope>>(["invoices:read", "invoices:write"])
  const [cashier, setCashier] = useState("")
  const [wrong, setWrong] = useState<"name" | "scopes" | null>(null)
  const creation = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), scopes: chosen, ...(cashier !== "" && { connectionId: cashier }) }
      return askFresh("POST /panel/orgs/:organizationId/api-keys", { ...given, body })
    },
    onSuccess: ({ apiKey }) => {
      onMade?.(apiKey)
      return forget("GET /panel/orgs/:organizationId/api-keys")
    }
  })
  if (creation.data !== undefined) return <Ready made={creation.data} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (creation.isPending) return
    const found = name.trim() === "" ? "name" : chosen.length === 0 ? "scopes" : null
    setWrong(found)
    if (found === null) creation.mutate()
    else event.currentTarget.querySelector<HTMLInputElement>(found === "name" ? "input" : '[type="checkbox"]')?.focus()
  }
  return (
    <Dialog title={keys.create} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={keys.name}
          hint={keys.nameHint}
          maxLength={100}
          autoComplete="off"
          value={name}
          wrong={wrong === "name" ? keys.nameMissing : null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoFocus
        />
        <Scopes chosen={chosen} isMissing={wrong === "scopes"} onChange={setChosen} />
        {cashiers.length > 0 && (
          <SelectField
            label={keys.bind}
            hint={cashier === "" ? keys.bindNoneText : keys.bindText}
            value={cashier}
            onChange={({ currentTarget }) => setCashier(currentTarget.value)}
          >
            <option value="">{keys.bindNone}</option>
            {cashiers.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </SelectField>
        )}
        {creation.error !== null && <Refused failure={creation.error} />}
        <Button type="submit" isBusy={creation.isPending}>
          {keys.create}
        </Button>
      </form>
    </Dialog>
  )
}

interface ScopesProps {
  readonly chosen: ReadonlyArray<Scope>
  readonly isMissing: boolean
  readonly onChange: (chosen: ReadonlyArray<Scope>) => void
}

const Scopes = ({ chosen, isMissing, onChange }: ScopesProps) => {
  const { keys } = useWords().texts
  const toggle = (scope: Scope) =>
    onChange(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope])
  return (
    <>
      <fieldset className={rows["choices"]}>
        <legend>{keys.scopes}</legend>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={keys.scopeTexts[scope]}
            hint={<code>{scope}</code>}
            checked={chosen.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </fieldset>
      {isMissing && (
        <p className={rows["wrong"]} role="alert">
          {keys.scopesMissing}
        </p>
      )}
    </>
  )
}

const Ready = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => {
  const { texts } = useWords()
  const copy = useCopy()
  return (
    <Dialog title={texts.keys.ready} text={texts.keys.readyText} onClose={onClose}>
      <output className={rows["secret"]} aria-label={made.name}>
        {made.apiKey}
      </output>
      <Button onClick={() => copy(made.apiKey)} autoFocus>
        <Copy size={18} aria-hidden />
        {texts.common.copy}
      </Button>
      <Button look="plain" onClick={onClose}>
        {texts.keys.done}
      </Button>
    </Dialog>
  )
}
