/** The phones that the organization has invited, and what came of it. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { day } from "@tolem/http-server/pages/Formats"
import { Mail } from "lucide-react"
import { useEffect, useRef } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { maskedText } from "../../login/PhoneText.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import { type Invitation, invitations } from "./Invitation.ts"

/** How often what waits is looked at again: the person may answer while the owner looks. */
const everyMs = 15_000

/** The card; nothing while no one was asked. */
export const Invitations = () => {
  const { invitations: words } = useWords().texts
  const forget = useForget()
  const mayChange = useMay()("members:change") !== null
  const { data } = useQuery({
    ...reading(invitations, useGiven()),
    refetchInterval: (query) => (query.state.data?.invitations.some(isOpen) ? everyMs : false)
  })
  const all = data?.invitations ?? []
  const accepted = data?.invitations.filter(({ status }) => status === "accepted").length ?? null
  const known = useRef(accepted)
  useEffect(() => {
    // A person who accepts meanwhile is a member.
    if (known.current !== null && known.current !== accepted) void forget("GET /panel/orgs/:organizationId/members")
    known.current = accepted
  }, [accepted, forget])
  if (all.length === 0) return null
  return (
    <Card title={words.title} text={words.listed}>
      <ul className={rows["rows"]}>
        {all.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} mayChange={mayChange} />
        ))}
      </ul>
    </Card>
  )
}

const isOpen = ({ status }: Invitation): boolean => status === "pending"

interface InvitationRowProps {
  readonly invitation: Invitation
  readonly mayChange: boolean
}

const InvitationRow = ({ invitation, mayChange }: InvitationRowProps) => {
  const { texts, language } = useWords()
  const { invitations: words, profile } = texts
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const { id, phone, role, status, expiresAt } = invitation
  const onError = (failure: Error) => notify({ title: explain(failure).title, tone: "bad" })
  const withdrawal = useMutation({
    mutationFn: () =>
      askFresh("DELETE /panel/orgs/:organizationId/invitations/:id", { params: { ...params, id }, query }),
    onSuccess: () => notify({ title: words.withdrawn }),
    onError,
    onSettled: () => forget(invitations)
  })
  const shown = maskedText(phone)
  const state = isOpen(invitation) ? words.until(day(Date.parse(expiresAt), language)) : words.statuses[status]
  return (
    <li className={rows["wrapping"]}>
      <Mail size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>{shown}</span>
        <span className={rows["quiet"]}>{`${profile.roles[role]} · ${state}`}</span>
      </span>
      {mayChange && isOpen(invitation) && (
        <Button
          look="plain"
          isSmall
          aria-label={`${words.withdraw}: ${shown}`}
          isBusy={withdrawal.isPending}
          onClick={() => withdrawal.mutate()}
        >
          {words.withdraw}
        </Button>
      )}
    </li>
  )
}
