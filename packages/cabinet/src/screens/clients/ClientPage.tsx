/** One client of a partner: what its invoices came to, its cashiers, its mode, and keys for its program. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Plus, Store } from "lucide-react"
import { useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import type { Answer } from "../../api/Contract.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import type { Cashier } from "../cashiers/Cashier.ts"
import { useClientCalls } from "./ClientCalls.ts"
import { ClientKey } from "./ClientKey.tsx"
import styles from "./Clients.module.css"
import { useClientsTexts } from "./Texts.ts"

const LoginWizard = loadedPart(() => import("../cashiers/LoginWizard.tsx").then(({ LoginWizard }) => LoginWizard))

type Shown = Answer<"GET /panel/orgs/:organizationId/clients/:id">

/** The screen. */
export const ClientPage = ({ clientId }: { readonly clientId: string }) => {
  const words = useClientsTexts()
  const { params, query } = useGiven()
  const client = reading("GET /panel/orgs/:organizationId/clients/:id", { params: { ...params, id: clientId }, query })
  const { data, error } = useQuery(client)
  const mayChange = useMay()("clients:change") !== null
  useTitle(data?.name ?? words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{data?.name ?? words.title}</h1>
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Statistics client={data} />}
      {data !== undefined && <Cashiers client={data} mayChange={mayChange} />}
      {data !== undefined && mayChange && <Mode client={data} />}
      {data !== undefined && mayChange && <Key client={data} />}
    </div>
  )
}

const Statistics = ({ client: { statistics } }: { readonly client: Shown }) => {
  const words = useClientsTexts()
  return (
    <Card title={words.statistics}>
      <table className={styles["statistics"]} aria-label={words.statistics}>
        <thead>
          <tr>
            <th scope="col">{words.period}</th>
            <th scope="col">{words.invoices}</th>
            <th scope="col">{words.paid}</th>
            <th scope="col">{words.sum}</th>
          </tr>
        </thead>
        <tbody>
          {(["month", "all"] as const).map((period) => {
            const paid = statistics[period].byStatus["paid"] ?? { count: 0, amount: 0 }
            return (
              <tr key={period}>
                <th scope="row">{words[period]}</th>
                <td>{count(statistics[period].count)}</td>
                <td>{count(paid.count)}</td>
                <td>{tenge(paid.amount)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

interface PartProps {
  readonly client: Shown
  readonly mayChange: boolean
}

const Cashiers = ({ client, mayChange }: PartProps) => {
  const words = useClientsTexts()
  const calls = useClientCalls(client.id)
  const [wizard, setWizard] = useState<"new" | Cashier | null>(null)
  const connect = (
    <Button look="second" isSmall onClick={() => setWizard("new")}>
      <Plus size={18} aria-hidden />
      {words.connect}
    </Button>
  )
  return (
    <Card title={words.cashierTitle} action={mayChange && connect}>
      {client.connections.length === 0 && <p className={rows["quiet"]}>{words.noCashiers}</p>}
      {client.connections.length > 0 && (
        <ul className={rows["rows"]}>
          {client.connections.map((cashier) => (
            <CashierEntry key={cashier.id} cashier={cashier} onLogIn={mayChange ? () => setWizard(cashier) : null} />
          ))}
        </ul>
      )}
      {wizard !== null && (
        <LoginWizard calls={calls} cashier={wizard === "new" ? null : wizard} onClose={() => setWizard(null)} />
      )}
    </Card>
  )
}

interface EntryProps {
  readonly cashier: Cashier
  // Null: the person may not.
  readonly onLogIn: (() => void) | null
}

const tones = { pending: "wait", active: "good", expired: "bad", disabled: "calm" } as const

const CashierEntry = ({ cashier: { name, status }, onLogIn }: EntryProps) => {
  const { cashiers } = useWords().texts
  return (
    <li>
      <Store size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {name}
          <Pill tone={tones[status]}>{cashiers.statuses[status]}</Pill>
        </span>
      </span>
      {status !== "active" && status !== "disabled" && onLogIn !== null && (
        <Button isSmall onClick={onLogIn}>
          {cashiers.logIn}
          <span className="visually-hidden">: {name}</span>
        </Button>
      )}
    </li>
  )
}

const Mode = ({ client: { id, mode } }: { readonly client: Shown }) => {
  const words = useClientsTexts()
  const { texts } = useWords()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const next = mode === "live" ? "sandbox" : "live"
  const change = useMutation({
    mutationFn: () => {
      const given = { params: { ...params, id }, query, body: { mode: next } as const }
      return askFresh("POST /panel/orgs/:organizationId/clients/:id/mode", given)
    },
    onSuccess: () => notify({ title: words.switched, tone: "good" }),
    onSettled: () => forget("GET /panel/orgs/:organizationId/clients")
  })
  return (
    <Card title={`${words.mode}: ${texts.shell[mode]}`} text={words.modeText}>
      {change.error !== null && <Refused failure={change.error} />}
      <Button look="second" isBusy={change.isPending} onClick={() => change.mutate()}>
        {next === "live" ? words.toLive : words.toSandbox}
      </Button>
    </Card>
  )
}

const Key = ({ client }: { readonly client: Shown }) => {
  const words = useClientsTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={words.key} text={words.keyText}>
      <Button look="second" onClick={() => setOpen(true)}>
        {words.newKey}
      </Button>
      {isOpen && <ClientKey clientId={client.id} onClose={() => setOpen(false)} />}
    </Card>
  )
}
