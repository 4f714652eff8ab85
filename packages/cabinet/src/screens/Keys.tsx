/** An organization's API keys of the mode that is looked at. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { ago } from "@tolem/http-server/pages/Formats"
import { KeyRound, Plus, Store, Trash2 } from "lucide-react"
import { useState } from "react"
import { askFresh } from "../api/Confirmation.ts"
import type { Answer } from "../api/Contract.ts"
import { useHere } from "../app/Organization.ts"
import { useMay } from "../app/Permissions.ts"
import { useForget, useGiven } from "../app/Places.ts"
import { reading } from "../app/Queries.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { loadedPart } from "../parts/LoadedPart.tsx"
import { useNotify } from "../parts/Notices.tsx"
import { useNow } from "../parts/Now.ts"
import { Refused } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import { type Cashier, useCashiers } from "./cashiers/Cashier.ts"

const KeyDialog = loadedPart(() => import("./keys/KeyDialog.tsx").then(({ KeyDialog }) => KeyDialog))
const BindDialog = loadedPart(() => import("./keys/BindDialog.tsx").then(({ BindDialog }) => BindDialog))
const NameConfirm = loadedPart(() => import("../parts/NameConfirm.tsx").then(({ NameConfirm }) => NameConfirm))

type Entry = Answer<"GET /panel/orgs/:organizationId/api-keys">["keys"][number]

type Open = { readonly kind: "new" } | { readonly kind: "bind" | "remove"; readonly entry: Entry }

/** The screen. */
export const Keys = () => {
  const { texts } = useWords()
  const { mode } = useHere()
  const { data, error } = useQuery(reading("GET /panel/orgs/:organizationId/api-keys", useGiven()))
  const keys = data?.keys.filter((key) => key.mode === mode)
  const may = useMay()
  const mayChange = may("keys:change") !== null
  const cashiers = useCashiers()
  const mayBind = may("keys:bind") !== null
  const [dialog, setDialog] = useState<Open | null>(null)
  const close = () => setDialog(null)
  useTitle(texts.keys.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{texts.keys.title}</h1>
        {mayChange && (
          <Button isSmall onClick={() => setDialog({ kind: "new" })}>
            <Plus size={18} aria-hidden />
            {texts.keys.create}
          </Button>
        )}
      </header>
      {error !== null && <Refused failure={error} />}
      {keys === undefined && error === null && <Skeleton lines={3} tall />}
      {keys?.length === 0 && <Card title={texts.keys.none} text={texts.keys.noneText} />}
      {keys !== undefined && keys.length > 0 && (
        <Card title={texts.shell[mode]} text={texts.keys.about}>
          <ul className={rows["rows"]}>
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                entry={key}
                cashier={cashiers.find(({ id }) => id === key.connectionId) ?? null}
                onBind={mayBind && cashiers.length > 0 ? () => setDialog({ kind: "bind", entry: key }) : null}
                onRemove={mayChange ? () => setDialog({ kind: "remove", entry: key }) : null}
              />
            ))}
          </ul>
        </Card>
      )}
      {dialog?.kind === "new" && <KeyDialog cashiers={mode === "live" ? cashiers : []} onClose={close} />}
      {dialog?.kind === "bind" && <BindDialog entry={dialog.entry} cashiers={cashiers} onClose={close} />}
      {dialog?.kind === "remove" && <Removal entry={dialog.entry} onClose={close} />}
    </div>
  )
}

interface KeyRowProps {
  readonly entry: Entry
  /** The one that it is bound to, if the person may know of them. */
  readonly cashier: Cashier | null
  // Null: the person may not.
  readonly onBind: (() => void) | null
  readonly onRemove: (() => void) | null
}

const KeyRow = ({ entry, cashier, onBind, onRemove }: KeyRowProps) => {
  const { texts, language } = useWords()
  const now = useNow(60_000)
  const told = (at: string) => ago(Date.parse(at), now, language)
  const used = entry.lastUsedAt === null ? texts.keys.neverUsed : texts.keys.lastUsed(told(entry.lastUsedAt))
  const boundTo = cashier === null ? texts.keys.bound : texts.keys.boundTo(cashier.name)
  const bound = entry.connectionId === null ? [] : [boundTo]
  return (
    <li>
      <KeyRound size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          {entry.name}
          <code>…{entry.lastCharacters}</code>
        </span>
        <span className={rows["quiet"]}>{[used, texts.keys.made(told(entry.createdAt)), ...bound].join(" · ")}</span>
        <span className={rows["quiet"]}>{entry.scopes.map((scope) => texts.keys.scopeTexts[scope]).join(" · ")}</span>
      </span>
      {onBind !== null && (
        <Button look="plain" isSmall aria-label={`${texts.keys.bind}: ${entry.name}`} onClick={onBind}>
          <Store size={18} aria-hidden />
        </Button>
      )}
      {onRemove !== null && (
        <Button look="plain" isSmall aria-label={`${texts.keys.remove}: ${entry.name}`} onClick={onRemove}>
          <Trash2 size={18} aria-hidden />
        </Button>
      )}
    </li>
  )
}

const Removal = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { params, query } = useGiven()
  const notify = useNotify()
  const forget = useForget()
  const removal = useMutation({
    mutationFn: () =>
      askFresh("DELETE /panel/orgs/:organizationId/api-keys/:id", { params: { ...params, id: entry.id }, query }),
    onSuccess: () => {
      notify({ title: texts.keys.removed })
      onClose()
    },
    onSettled: () => forget("GET /panel/orgs/:organizationId/api-keys")
  })
  return (
    <NameConfirm
      title={`${texts.keys.remove}: ${entry.name}`}
      text={texts.keys.removeText(entry.name)}
      name={entry.name}
      action={texts.keys.remove}
      isBusy={removal.isPending}
      failure={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
