/** Changes what a member may do, or ends their membership. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { maskedText } from "../../login/PhoneText.ts"
import { amountOf, amountText, faultOf } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField } from "../../parts/Choice.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { NameConfirm } from "../../parts/NameConfirm.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import { GivenCashiers } from "./GivenCashiers.tsx"
import type { Member } from "./Member.ts"

interface MemberDialogProps {
  readonly member: Member
  readonly onClose: () => void
}

const roles = ["manager", "accountant", "cashier", "developer"] as const
type GivenRole = (typeof roles)[number]

const members = "GET /panel/orgs/:organizationId/members"

/** The dialog. */
export const MemberDialog = ({ member, onClose }: MemberDialogProps) => {
  const { texts } = useWords()
  const { team } = texts
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const [role, setRole] = useState<GivenRole>(member.role === "owner" ? "manager" : member.role)
  const [limit, setLimit] = useState(
    member.refundLimit === null ? "" : amountText(String(member.refundLimit).replace(".", ","))
  )
  const [mayRefund, setMayRefund] = useState(member.refundLimit !== null)
  const [given, setGiven] = useState(member.connectionIds)
  const [isTold, setTold] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const name = member.name ?? maskedText(member.phone)
  const change = useMutation({
    mutationFn: () => {
      const isGiven = given !== member.connectionIds
      const terms = { refundLimit: mayRefund ? amountOf(limit) : null, ...(isGiven && { connectionIds: given }) }
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
  const isMissing = role === "cashier" && mayRefund && amountOf(limit) === null
  const fault = faultOf(limit)
  const wrong = fault !== null ? texts.common.amountFaults[fault] : isMissing && isTold ? team.limitMissing : null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTold(true)
    if (isMissing) event.currentTarget.querySelector<HTMLInputElement>('[inputmode="decimal"]')?.focus()
    else if (!change.isPending) change.mutate()
  }
  return (
    <Dialog title={name} text={maskedText(member.phone)} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <RoleChoice role={role} onChange={setRole} />
        {role === "cashier" && <GivenCashiers given={given} onChange={setGiven} />}
        {role === "cashier" && (
          <CheckField
            label={team.mayRefund}
            checked={mayRefund}
            onChange={({ currentTarget }) => setMayRefund(currentTarget.checked)}
          />
        )}
        {role === "cashier" && mayRefund && (
          <Field
            label={team.refundLimit}
            inputMode="decimal"
            autoComplete="off"
            value={limit}
            wrong={wrong}
            onChange={({ currentTarget }) => setLimit(amountText(currentTarget.value))}
          />
        )}
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

interface RoleChoiceProps {
  readonly role: GivenRole
  readonly onChange: (role: GivenRole) => void
}

const RoleChoice = ({ role, onChange }: RoleChoiceProps) => {
  const { team, profile } = useWords().texts
  return (
    <fieldset className={rows["choices"]}>
      <legend>{team.role}</legend>
      {roles.map((each) => (
        <CheckField
          key={each}
          type="radio"
          name="role"
          label={profile.roles[each]}
          hint={team.roleTexts[each]}
          checked={each === role}
          onChange={() => onChange(each)}
        />
      ))}
    </fieldset>
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
