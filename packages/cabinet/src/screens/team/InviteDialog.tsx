/** Asks a phone to become a member, and says what the person has to do. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { cabinetPath } from "../../browser/Place.ts"
import { maskedText, phoneDigits } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { codeOf, Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Share } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import { PhoneField } from "../settings/PhoneField.tsx"
import { invitations } from "./Invitation.ts"
import { isLimitMissing, limitOf, type TermsDraft, TermsFields, toLimit } from "./Terms.tsx"

/** Refusals that are about the phone. */
const ofPhone = ["invalid_phone", "already_member"]

/** The dialog: a form, then what to tell the person. */
export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { invitations: words } = texts
  const given = useGiven()
  const forget = useForget()
  const explain = useExplanation()
  const [phone, setPhone] = useState("")
  const [draft, setDraft] = useState<TermsDraft>({ role: "cashier", given: [], mayRefund: false, limit: "" })
  const [isTold, setTold] = useState(false)
  const digits = phoneDigits(phone)
  const invitation = useMutation({
    mutationFn: () => {
      const { role, given: connectionIds } = draft
      const terms = role === "cashier" ? { connectionIds, refundLimit: limitOf(draft) } : {}
      const body = { phone: `7${digits}`, role, ...terms }
      return askFresh("POST /panel/orgs/:organizationId/invitations", { ...given, body })
    },
    onSettled: () => forget(invitations)
  })
  if (invitation.data !== undefined) return <Invited phone={invitation.data.phone} onClose={onClose} />
  const { error } = invitation
  const refused = error !== null && ofPhone.includes(codeOf(error)) ? explain(error).title : null
  const isShort = digits.length < 10
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTold(true)
    if (isShort) event.currentTarget.querySelector<HTMLInputElement>('[type="tel"]')?.focus()
    else if (isLimitMissing(draft)) toLimit(event.currentTarget)
    else if (!invitation.isPending) invitation.mutate()
  }
  return (
    <Dialog title={words.invite} text={words.about} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <PhoneField
          name="phone"
          label={words.phone}
          hint={null}
          value={phone}
          wrong={isTold && isShort ? texts.login.phoneShort : refused}
          onType={(typed) => {
            setPhone(typed)
            invitation.reset()
          }}
          autoFocus
        />
        <TermsFields draft={draft} isTold={isTold} onChange={(changed) => setDraft({ ...draft, ...changed })} />
        {error !== null && refused === null && <Refused failure={error} />}
        <Button type="submit" isBusy={invitation.isPending}>
          {words.send}
        </Button>
      </form>
    </Dialog>
  )
}

interface InvitedProps {
  readonly phone: string
  readonly onClose: () => void
}

const Invited = ({ phone, onClose }: InvitedProps) => {
  const { invitations: words } = useWords().texts
  const url = `${location.origin}${cabinetPath}`
  return (
    <Dialog title={words.made} text={words.tell(maskedText(phone).replaceAll(" ", "\u00a0"))} onClose={onClose}>
      <output className={rows["secret"]}>{url}</output>
      <div>
        <Share url={url} copyText={words.copy} shareText={words.share} />
      </div>
      <Button onClick={onClose} autoFocus>
        {words.done}
      </Button>
    </Dialog>
  )
}
