/** What the person is asked to become: organizations that have invited their phone. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { day } from "@tolem/http-server/pages/Formats"
import { Mail } from "lucide-react"
import { ask, refreshSession } from "../api/Session.ts"
import { prefer } from "../browser/Preferences.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { useNotify } from "../parts/Notices.tsx"
import { useExplanation } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { useWords } from "../parts/Words.tsx"
import { type Offer, offers, useOffers } from "./OwnOffers.ts"

/** The card; nothing without an invitation. `isAwaited`: looks again by itself. */
export const Offers = ({ isAwaited = false }: { readonly isAwaited?: boolean }) => {
  const { invitations: words } = useWords().texts
  const all = useOffers(isAwaited)
  if (all.length === 0) return null
  return (
    <Card title={words.yours} text={words.yoursText}>
      <ul className={rows["rows"]}>
        {all.map((offer) => (
          <OfferRow key={offer.id} offer={offer} />
        ))}
      </ul>
    </Card>
  )
}

const OfferRow = ({ offer }: { readonly offer: Offer }) => {
  const { texts, language } = useWords()
  const { invitations: words, profile } = texts
  const { id, organization, role, expiresAt } = offer
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const explain = useExplanation()
  const given = { params: { id } }
  const settle = {
    onError: (failure: Error) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: offers.queryKey })
  }
  const acceptance = useMutation({
    mutationFn: async () => {
      const joined = await ask("POST /panel/invitations/:id/accept", given)
      prefer({ organization: joined.organizationId })
      await refreshSession()
      return joined
    },
    onSuccess: ({ organizationId, name }) => {
      notify({ title: words.joined(name), tone: "good" })
      return navigate({ to: "/$organizationId", params: { organizationId } })
    },
    ...settle
  })
  const refusal = useMutation({
    mutationFn: () => ask("POST /panel/invitations/:id/decline", given),
    onSuccess: () => notify({ title: words.statuses.declined }),
    ...settle
  })
  const isBusy = acceptance.isPending || refusal.isPending
  return (
    <li className={rows["wrapping"]}>
      <Mail size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>{organization.name}</span>
        <span className={rows["quiet"]}>
          {`${profile.roles[role]} · ${words.until(day(Date.parse(expiresAt), language))}`}
        </span>
      </span>
      <span className={rows["actions"]}>
        <Button
          isSmall
          aria-label={`${words.accept}: ${organization.name}`}
          isBusy={isBusy}
          onClick={() => acceptance.mutate()}
        >
          {words.accept}
        </Button>
        <Button
          look="plain"
          isSmall
          aria-label={`${words.decline}: ${organization.name}`}
          isBusy={isBusy}
          onClick={() => refusal.mutate()}
        >
          {words.decline}
        </Button>
      </span>
    </li>
  )
}
