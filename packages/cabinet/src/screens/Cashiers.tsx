/** An organization's cashiers: who of them works, and how each is logged in. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Plus, Store } from "lucide-react"
import { useState } from "react"
import { ask } from "../api/Session.ts"
import { useMay } from "../app/Permissions.ts"
import { useForget, useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { loadedPart } from "../parts/LoadedPart.tsx"
import { NameConfirm } from "../parts/NameConfirm.tsx"
import { useNotify } from "../parts/Notices.tsx"
import { Refused, useExplanation } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import type { Cashier } from "./cashiers/Cashier.ts"
import { useOwnCalls } from "./cashiers/CashierCalls.ts"
import { CashierRow } from "./cashiers/CashierRow.tsx"

const LoginWizard = loadedPart(() => import("./cashiers/LoginWizard.tsx").then(({ LoginWizard }) => LoginWizard))

const connections = "GET /panel/orgs/:organizationId/connections"

/** The screen. */
export const Cashiers = () => {
  const { texts } = useWords()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/connections", useGiven()))
  const may = useMay()
  const mayLogIn = may("connections:login") !== null
  const mayChange = may("connections:change") !== null
  const [wizard, setWizard] = useState<"new" | Cashier | null>(null)
  const [leaving, setLeaving] = useState<Cashier | null>(null)
  const change = useChange()
  const calls = useOwnCalls()
  useTitle(texts.cashiers.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{texts.cashiers.title}</h1>
        {mayLogIn && mayChange && (
          <Button isSmall onClick={() => setWizard("new")}>
            <Plus size={18} aria-hidden />
            {texts.cashiers.connect}
          </Button>
        )}
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={3} tall />}
      {data?.connections.length === 0 && <Card title={texts.cashiers.none} text={texts.cashiers.noneText} />}
      {data !== undefined && data.connections.length > 0 && (
        <Card title={texts.cashiers.about}>
          <ul className={rows["rows"]}>
            {data.connections.map((cashier) => (
              <CashierRow
                key={cashier.id}
                cashier={cashier}
                icon={<Store size={22} aria-hidden className={rows["icon"]} />}
                onLogIn={mayLogIn ? () => setWizard(cashier) : null}
                onChange={mayChange ? (body) => change.mutate({ id: cashier.id, body }) : null}
                onRemove={mayChange ? () => setLeaving(cashier) : null}
              />
            ))}
          </ul>
        </Card>
      )}
      {wizard !== null && (
        <LoginWizard calls={calls} cashier={wizard === "new" ? null : wizard} onClose={() => setWizard(null)} />
      )}
      {leaving !== null && <Removal cashier={leaving} onClose={() => setLeaving(null)} />}
    </div>
  )
}

interface Change {
  readonly id: string
  readonly body: { readonly disabled?: boolean; readonly isDefault?: true }
}

/** Changes a cashier; what is switched off can be switched on again at once. */
const useChange = () => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const change = useMutation({
    mutationFn: ({ id, body }: Change) =>
      ask("PATCH /panel/orgs/:organizationId/connections/:id", { params: { ...params, id }, query, body }),
    onSuccess: (_, { id, body }) => {
      const undo = () => change.mutate({ id, body: { disabled: false } })
      notify({ title: texts.team.saved, ...(body.disabled === true && { undo }) })
    },
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => forget(connections)
  })
  return change
}

const Removal = ({ cashier, onClose }: { readonly cashier: Cashier; readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const forget = useForget()
  const removal = useMutation({
    mutationFn: () =>
      ask("DELETE /panel/orgs/:organizationId/connections/:id", { params: { ...params, id: cashier.id }, query }),
    onSuccess: onClose,
    onSettled: () => forget(connections)
  })
  return (
    <NameConfirm
      title={`${texts.keys.remove}: ${cashier.name}`}
      text={texts.cashiers.removeText}
      name={cashier.name}
      action={texts.keys.remove}
      isBusy={removal.isPending}
      failure={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
