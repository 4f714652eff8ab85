/** One payment link: its address, its poster, what it brings, and what may be done with it. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, ExternalLink, Pause, Pencil, Play, Printer, Trash2 } from "lucide-react"
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
import { Dialog } from "../../parts/Dialog.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { useNow } from "../../parts/Now.ts"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Share } from "../../parts/Share.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import hooks from "../webhooks/Webhooks.module.css"
import { Editor } from "./Editor.tsx"
import { linkCalls, linkStateOf, pagePath, type ShownLink, shortUrl, toneOf } from "./Link.ts"
import styles from "./Links.module.css"
import { Statistics } from "./Statistics.tsx"
import { useLinksTexts } from "./Texts.ts"

const everyMs = 15_000
const sizes = ["A4", "A6"] as const

/** The screen. */
export const LinkDetail = ({ linkId }: { readonly linkId: string }) => {
  const words = useLinksTexts()
  const { organizationId } = useHere()
  const { params, query } = useGiven()
  const one = reading("GET /panel/orgs/:organizationId/payment-links/:id", { params: { ...params, id: linkId }, query })
  const { data, error } = useQuery({ ...one, refetchInterval: everyMs })
  useTitle(data?.title ?? words.title)
  return (
    <div className={rows["screen"]}>
      <Link className={hooks["back"] ?? ""} to="/$organizationId/links" params={{ organizationId }} search={modeAlone}>
        <ArrowLeft size={18} aria-hidden />
        {words.back}
      </Link>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data !== undefined && <Content link={data} />}
    </div>
  )
}

interface OfLink {
  readonly link: ShownLink
}

const Content = ({ link }: OfLink) => {
  const words = useLinksTexts()
  const mayChange = useMay()("links:change") !== null
  const state = linkStateOf(link, useNow(everyMs))
  const { payments, paidAmount, placesLeft } = link.totals
  const facts = [
    `${words.allTime}: ${words.payments(count(payments), tenge(paidAmount))}`,
    ...(placesLeft === null ? [] : [words.left(count(placesLeft))])
  ]
  return (
    <>
      <header className={hooks["head"]}>
        <h1>{link.title}</h1>
        <Pill tone={toneOf(state)}>{words.states[state]}</Pill>
        <p>{facts.join(" · ")}</p>
      </header>
      <div className={styles["address"]}>
        <code>{shortUrl(link)}</code>
        <Share url={link.url} copyText={words.copy} shareText={words.share} />
        <a className={styles["leads"]} href={pagePath(link)} target="_blank" rel="noreferrer">
          <ExternalLink size={18} aria-hidden />
          {words.open}
        </a>
      </div>
      {mayChange && <Actions link={link} />}
      <div className={styles["columns"]}>
        <Statistics linkId={link.id} />
        <Poster link={link} />
      </div>
    </>
  )
}

/** The sheets, which are printed from their own pages. */
const Poster = ({ link }: OfLink) => {
  const words = useLinksTexts()
  const { language } = useWords()
  return (
    <Card title={words.poster} text={words.posterText}>
      <div className={styles["posters"]}>
        {sizes.map((size) => (
          <a
            key={size}
            className={styles["leads"]}
            href={`${pagePath(link)}/poster?size=${size.toLowerCase()}&lang=${language}`}
            target="_blank"
            rel="noreferrer"
          >
            <Printer size={18} aria-hidden />
            {words.posterSize(size)}
          </a>
        ))}
      </div>
    </Card>
  )
}

const Actions = ({ link }: OfLink) => {
  const words = useLinksTexts()
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null)
  const switching = useSwitch(link.id)
  const isPaused = link.status === "paused"
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
      {dialog === "change" && <Editor link={link} onClose={close} />}
      {dialog === "remove" && <Removal link={link} onClose={close} />}
    </div>
  )
}

/** Pauses a link or resumes it; either can be undone at once. */
const useSwitch = (id: string) => {
  const words = useLinksTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const change = useMutation({
    mutationFn: (isPaused: boolean) =>
      ask("PATCH /panel/orgs/:organizationId/payment-links/:id", {
        params: { ...params, id },
        query,
        body: { status: isPaused ? "paused" : "active" }
      }),
    onSuccess: (_, isPaused) =>
      notify({ title: isPaused ? words.paused : words.resumed, undo: () => change.mutate(!isPaused) }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => forget(linkCalls)
  })
  return change
}

const Removal = ({ link, onClose }: OfLink & { readonly onClose: () => void }) => {
  const words = useLinksTexts()
  const { params, query } = useGiven()
  const removal = useRemoval({
    id: link.id,
    remove: () =>
      ask("DELETE /panel/orgs/:organizationId/payment-links/:id", { params: { ...params, id: link.id }, query }),
    notice: words.removed,
    list: "/$organizationId/links",
    calls: linkCalls
  })
  return (
    <Dialog title={`${words.remove}: ${link.title}`} text={words.removeText} onClose={onClose}>
      {removal.error !== null && <Refused failure={removal.error} />}
      <Button look="bad" isBusy={removal.isPending} onClick={() => removal.mutate()}>
        {words.remove}
      </Button>
    </Dialog>
  )
}
