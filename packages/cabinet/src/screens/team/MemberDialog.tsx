/** Changes what a member may do, or ends their membership. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { maskedText } from "../../login/PhoneText.ts"
import { amountText } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { NameConfirm } from "../../parts/NameConfirm.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Member } from "./Member.ts"
import { isLimitMissing, limitOf, type TermsDraft, TermsFields, toLimit } from "./Terms.tsx"

interface MemberDialogProps {
  readonly member: Member
  readonly onClose: () => void
}

const members = "GET /panel/orgs/:organizationId/members"

/** The dialog. */
export const MemberDialog = ({ member, onClose }: MemberDialogProps) => {
  const { texts } = useWords()
  const { team } = texts
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const [draft, setDraft] = useState<TermsDraft>({
    role: member.role === "owner" ? "manager" : member.role,
    given: member.connectionIds,
    mayRefund: member.refundLimit !== null,
    limit: member.refundLimit === null ? "" : amountText(String(member.refundLimit).replace(".", ","))
  })
  const [isTold, setTold] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const name = member.name ?? maskedText(member.phone)
  const change = useMutation({
    mutationFn: () => {
      const { role, given } = draft
      const isGiven = given !== member.connectionIds
      const terms = { refundLimit: limitOf(draft), ...(isGiven && { connectionIds: given }) }
      const body = { role, ...(role === "cashier" && terms) }
      return askFresh("PATCH /panel/orgs/:organizationId/members/:id", {
        params: { ...params, id: member.accountId },
        query,
        body
      })
    },
    onSuccess: () => {
      notify({ title: team.saved, tone: "good" })
      onClose()
    },
    onSettled: () => forget(members)
  })
  if (isLeaving) return <Removal member={member} name={name} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTold(true)
    if (isLimitMissing(draft)) toLimit(event.currentTarget)
    else if (!change.isPending) change.mutate()
  }
  return (
    <Dialog title={name} text={maskedText(member.phone)} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <TermsFields draft={draft} isTold={isTold} onChange={(changed) => setDraft({ ...draft, ...changed })} />
        {change.error !== null && <Refused failure={change.error} />}
        <Button type="submit" isBusy={change.isPending}>
          {team.save}
        </Button>
        <Button look="bad" onClick={() => setLeaving(true)}>
          {team.remove}
        </Button>
      </form>
    </Dialog>
  )
}

const Removal = ({ member, name, onClose }: MemberDialogProps & { readonly name: string }) => {
  const { texts } = useWords()
  const { team } = texts
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const removal = useMutation({
    mutationFn: () =>
      askFresh("DELETE /panel/orgs/:organizationId/members/:id", {
        params: { ...params, id: member.accountId },
        query
      }),
    onSuccess: () => {
      notify({ title: team.removed })
      onClose()
    },
    onSettled: () => forget(members)
  })
  return (
    <NameConfirm
      title={`${team.remove}: ${name}`}
      text={team.removeText(name)}
      name={name}
      action={team.remove}
      isBusy={removal.isPending}
      failure={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
