/** A partner's clients: the organizations that they have opened. */
import { keepPreviousData } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Building2, Plus } from "lucide-react"
import { useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useHere, useOrganization } from "../../app/Organization.ts"
import { usePages } from "../../app/Pages.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { OpenDialog } from "./OpenDialog.tsx"
import { useClientsTexts } from "./Texts.ts"

type Entry = Answer<"GET /panel/orgs/:organizationId/clients">["organizations"][number]

const perPage = 50

const useClients = (isPartner: boolean) => {
  const { params, query } = useGiven()
  const call = "GET /panel/orgs/:organizationId/clients"
  const pages = usePages({
    queryKey: [call, { params, query }],
    queryFn: ({ pageParam: offset, signal }) =>
      ask(call, { params, query: { ...query, limit: perPage, offset } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, organizations, total }) => {
      const next = offset + organizations.length
      return organizations.length === 0 || next >= total ? null : next
    },
    placeholderData: keepPreviousData,
    enabled: isPartner
  })
  const found = new Map(pages.data?.pages.flatMap(({ organizations }) => organizations).map((each) => [each.id, each]))
  return { ...pages, clients: pages.data === undefined ? null : [...found.values()] }
}

/** The screen. */
export const ClientList = () => {
  const words = useClientsTexts()
  const { data: organization } = useOrganization()
  const isPartner = organization?.tariff.partner === true && organization.tariff.active
  const { clients, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useClients(isPartner)
  const mayOpen = useMay()("clients:change") !== null && isPartner
  const [isOpening, setOpening] = useState(false)
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
        {mayOpen && (
          <Button isSmall onClick={() => setOpening(true)}>
            <Plus size={18} aria-hidden />
            {words.open}
          </Button>
        )}
      </header>
      {organization !== undefined && !isPartner && <Card title={words.needsTariff} text={words.needsTariffText} />}
      {error !== null && <Refused failure={error} />}
      {isPartner && clients === null && error === null && <Skeleton lines={4} tall />}
      {clients?.length === 0 && <Card title={words.none} text={words.noneText} />}
      {clients !== null && clients.length > 0 && (
        <Card title={words.title} text={words.text}>
          <ul className={rows["rows"]}>
            {clients.map((client) => (
              <Row key={client.id} client={client} />
            ))}
          </ul>
          {hasNextPage && (
            <Button look="plain" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              {words.more}
            </Button>
          )}
        </Card>
      )}
      {isOpening && <OpenDialog onClose={() => setOpening(false)} />}
    </div>
  )
}

const Row = ({ client }: { readonly client: Entry }) => {
  const words = useClientsTexts()
  const { texts } = useWords()
  const { organizationId } = useHere()
  const { id, name, mode, statistics, connections } = client
  const paid = statistics.month.byStatus["paid"] ?? { count: 0, amount: 0 }
  const facts = [words.payments(count(paid.count), tenge(paid.amount)), words.cashiers(connections.length)]
  return (
    <li>
      <Building2 size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          <Link to="/$organizationId/clients/$clientId" params={{ organizationId, clientId: id }} search={modeAlone}>
            {name}
          </Link>
        </span>
        <span className={rows["quiet"]}>
          {words.month}: {facts.join(" · ")}
        </span>
      </span>
      <Pill tone={mode === "live" ? "good" : "calm"}>{texts.shell[mode]}</Pill>
    </li>
  )
}
