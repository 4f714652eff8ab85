/** Sends a form to a hook of the sandbox, as a site would, and tells what came of it. */
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { useForget, useForgetInvoices } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { postForm } from "../../browser/Forms.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useFirstWords } from "../../parts/Words.tsx"
import type { FormFieldName } from "../../texts/FormsTexts.ts"
import developers from "../developers/Developers.module.css"
import { formFields, formHookCalls, postPath, type ShownFormHook } from "./FormHook.ts"
import { useFormsTexts } from "./Texts.ts"
import styles from "./Trial.module.css"

const usual: Readonly<Record<FormFieldName, string>> = { amount: "1500", name: "", phone: "", email: "", comment: "" }

/** The card. */
export const Trial = ({ hook }: { readonly hook: ShownFormHook }) => {
  const words = useFormsTexts()
  const { refusals } = useFirstWords()
  const { organizationId } = useHere()
  const forget = useForget()
  const forgetInvoices = useForgetInvoices()
  const [typed, setTyped] = useState(usual)
  const sending = useMutation({
    mutationFn: () => postForm(postPath(hook), typed),
    onSuccess: () => Promise.all([forgetInvoices(), forget(formHookCalls)])
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!sending.isPending) sending.mutate()
  }
  const answer = sending.isPending ? undefined : sending.data
  return (
    <Card title={words.trial} text={words.trialText}>
      <form className={styles["trial"]} onSubmit={submit} noValidate>
        {formFields.map((name) => (
          <Field
            key={name}
            name={name}
            label={words.fields[name]}
            autoComplete="off"
            maxLength={300}
            value={typed[name]}
            onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <Button type="submit" isBusy={sending.isPending}>
          {words.send}
        </Button>
      </form>
      {sending.error !== null && <Refused failure={sending.error} />}
      <p role="status" className={developers["note"]}>
        {answer?.invoiceId !== undefined && (
          <>
            {words.accepted}{" "}
            <Link
              to="/$organizationId/invoices/$invoiceId"
              params={{ organizationId, invoiceId: answer.invoiceId }}
              search={modeAlone}
            >
              {answer.invoiceId}
            </Link>
          </>
        )}
        {answer?.code !== undefined && `${words.refused} ${refusals[answer.code] ?? answer.code}`}
      </p>
    </Card>
  )
}
