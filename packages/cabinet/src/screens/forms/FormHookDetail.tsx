/** One form hook: its address, the form for it, a trial, and which forms it has refused. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, Copy, Pause, Pencil, Play, Trash2 } from "lucide-react"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { useRemoval } from "../../app/Removal.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { CodeText } from "../../parts/CodeText.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Share, useCopy } from "../../parts/Share.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import links from "../links/Links.module.css"
import hooks from "../webhooks/Webhooks.module.css"
import { formHookCalls, type ShownFormHook, snippetOf } from "./FormHook.ts"
import { FormHookDialog } from "./FormHookDialog.tsx"
import { FormRefusalLog } from "./FormRefusalLog.tsx"
import { useFormsTexts } from "./Texts.ts"
import { Trial } from "./Trial.tsx"

/** The screen. */
export const FormHookDetail = ({ hookId }: { readonly hookId: string }) => {
  const words = useFormsTexts()
  const { organizationId } = useHere()
  const { params, query } = useGiven()
  const one = reading("GET /panel/orgs/:organizationId/form-hooks/:id", { params: { ...params, id: hookId }, query })
  const { data, error } = useQuery(one)
  useTitle(data?.name ?? words.title)
  return (
    <div className={rows["screen"]}>
      <Link className={hooks["back"] ?? ""} to="/$organizationId/forms" params={{ organizationId }} search={modeAlone}>
        <ArrowLeft size={18} aria-hidden />
        {words.back}
      </Link>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Content hook={data} />}
    </div>
  )
}

interface OfHook {
  readonly hook: ShownFormHook
}

const Content = ({ hook }: OfHook) => {
  const words = useFormsTexts()
  const mayChange = useMay()("links:change") !== null
  const isActive = hook.status === "active"
  const facts = [
    hook.allowedOrigins.join(" · "),
    hook.caught === 0 ? "" : `${words.caught}: ${count(hook.caught)}`
  ].filter((each) => each !== "")
  return (
    <>
      <header className={hooks["head"]}>
        <h1>{hook.name}</h1>
        <Pill tone={isActive ? "good" : "calm"}>{isActive ? words.active : words.paused}</Pill>
        {facts.length > 0 && <p>{facts.join(" · ")}</p>}
      </header>
      <div className={links["address"]}>
        <code>{hook.url}</code>
        <Share url={hook.url} copyText={words.copy} shareText={words.address} />
      </div>
      {mayChange && <Actions hook={hook} />}
      <div className={hooks["columns"]}>
        <FormRefusalLog hookId={hook.id} />
        <div className={hooks["column"]}>
          <Snippet hook={hook} />
          {hook.mode === "sandbox" && mayChange && <Trial hook={hook} />}
        </div>
      </div>
    </>
  )
}

const Snippet = ({ hook }: OfHook) => {
  const words = useFormsTexts()
  const { language } = useWords()
  const copy = useCopy()
  const text = snippetOf(hook, words, language)
  return (
    <Card
      title={words.snippet}
      text={words.snippetText}
      action={
        <Button look="plain" isSmall onClick={() => copy(text)}>
          <Copy size={18} aria-hidden />
          {words.copy}
        </Button>
      }
    >
      <CodeText name={words.snippet} text={text} />
    </Card>
  )
}

const Actions = ({ hook }: OfHook) => {
  const words = useFormsTexts()
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null)
  const switching = useSwitch(hook.id)
  const isPaused = hook.status === "paused"
  const close = () => setDialog(null)
  return (
    <div className={hooks["actions"]}>
      <Button isSmall onClick={() => setDialog("change")}>
        <Pencil size={18} aria-hidden />
        {words.change}
      </Button>
      <Button look="plain" isSmall isBusy={switching.isPending} onClick={() => switching.mutate(!isPaused)}>
        {isPaused ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
        {isPaused ? words.resume : words.pause}
      </Button>
      <Button look="bad" isSmall onClick={() => setDialog("remove")}>
        <Trash2 size={18} aria-hidden />
        {words.remove}
      </Button>
      {dialog === "change" && <FormHookDialog hook={hook} onClose={close} />}
      {dialog === "remove" && <Removal hook={hook} onClose={close} />}
    </div>
  )
}

/** Pauses a form hook or resumes it; either can be undone at once. */
const useSwitch = (id: string) => {
  const words = useFormsTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const change = useMutation({
    mutationFn: (isPaused: boolean) =>
      ask("PATCH /panel/orgs/:organizationId/form-hooks/:id", {
        params: { ...params, id },
        query,
        body: { status: isPaused ? "paused" : "active" }
      }),
    onSuccess: (_, isPaused) =>
      notify({ title: isPaused ? words.pausedNow : words.resumedNow, undo: () => change.mutate(!isPaused) }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => forget(formHookCalls)
  })
  return change
}

const Removal = ({ hook, onClose }: OfHook & { readonly onClose: () => void }) => {
  const words = useFormsTexts()
  const { params, query } = useGiven()
  const removal = useRemoval({
    id: hook.id,
    remove: () =>
      ask("DELETE /panel/orgs/:organizationId/form-hooks/:id", { params: { ...params, id: hook.id }, query }),
    notice: words.removed,
    list: "/$organizationId/forms",
    calls: formHookCalls
  })
  return (
    <Dialog title={`${words.remove}: ${hook.name}`} text={words.removeText} onClose={onClose}>
      {removal.error !== null && <Refused failure={removal.error} />}
      <Button look="bad" isBusy={removal.isPending} onClick={() => removal.mutate()}>
        {words.remove}
      </Button>
    </Dialog>
  )
}
