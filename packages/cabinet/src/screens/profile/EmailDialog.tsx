/** Notes the person's e-mail address, once they have typed the code that came to it. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { refreshSession } from "../../api/Session.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"

/** The dialog: the address, then its code. */
export const EmailDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { profile } = texts
  const [email, setEmail] = useState("")
  const [code, setCode] = useState("")
  const sending = useMutation({
    mutationFn: () => askFresh("POST /panel/account/email", { body: { email: email.trim() } })
  })
  const challengeId = sending.data?.challengeId
  const giving = useMutation({
    mutationFn: async () => {
      const body = { email: email.trim(), challengeId: challengeId ?? "", code }
      await askFresh("PUT /panel/account/email", { body })
      await refreshSession()
    },
    onSuccess: onClose
  })
  const step = challengeId === undefined ? sending : giving
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!step.isPending) step.mutate()
  }
  return (
    <Dialog
      title={profile.email}
      text={challengeId === undefined ? profile.emailText : profile.emailSent(email.trim())}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        {challengeId === undefined ? (
          <Field
            key="email"
            label={profile.email}
            type="email"
            autoComplete="email"
            maxLength={254}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            autoFocus
          />
        ) : (
          <Field
            key="code"
            label={texts.login.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000000"
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value.replace(/\D/g, "").slice(0, 6))}
            autoFocus
          />
        )}
        {step.error !== null && <Refused failure={step.error} />}
        <Button type="submit" isBusy={step.isPending}>
          {challengeId === undefined ? texts.login.send : profile.emailConfirm}
        </Button>
      </form>
    </Dialog>
  )
}
