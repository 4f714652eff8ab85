/** What a message says, in the member's language: as text for chats, as a letter for mailboxes. Pure. */
import { inTenge } from "../../cabinet/export/Csv.ts"
import type { Letter } from "../../mail/Mailer.ts"
import { html } from "../../value/Html.ts"
import type { Mode } from "../../value/Mode.ts"
import type { Tiyn } from "../../value/Money.ts"
import type { Gathered, Tally } from "../Gathered.ts"
import type { NoticeLanguage } from "../NoticeKinds.ts"
import { noticeWords } from "./NoticeWords.ts"

/** What a message is made of. */
export interface MessageFacts {
  readonly organization: string
  readonly mode: Mode
  readonly language: NoticeLanguage
  readonly gathered: Gathered
  /** To where the cabinet says more. */
  readonly link: string
}

// A merchant's own words may neither break a line nor turn its direction, nor fill a message.
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, maxName)
    .toWellFormed()

const maxName = 80
const maxSubject = 180
/** Messengers take 4096 characters. */
const maxText = 3_500

/** `1 500,50 ₸`, whole tenge without decimals; its spaces do not break. */
const money = (sum: Tiyn): string => {
  const [whole = "", tiyn = ""] = inTenge(BigInt(sum)).split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0")
  return `${grouped}${tiyn === "00" || tiyn === "" ? "" : `,${tiyn}`}\u00a0₸`
}

/** What is told, a line each, the most important first. */
const linesOf = ({ gathered, language }: MessageFacts): ReadonlyArray<string> => {
  const words = noticeWords[language]
  const { paid, late, payments, troubles, doubt, isTest } = gathered
  const ofTally = ({ count, sum }: Tally, isLate: boolean): ReadonlyArray<string> => {
    if (count === 0) return []
    const head = isLate ? words.late : words.paid
    const named = payments.filter((payment) => payment.isLate === isLate)
    const [only] = named
    if (count === 1 && only !== undefined) return [`${head}: ${ofPayment(only)}`]
    const rest = count - named.length
    return [
      `${head}: ${words.payments(count)}, ${money(sum)}`,
      ...named.map((payment) => `• ${ofPayment(payment)}`),
      ...(rest > 0 ? [`• ${words.more(rest)}`] : [])
    ]
  }
  const ofPayment = ({ amount, name }: Gathered["payments"][number]) =>
    name === null ? money(amount) : `${money(amount)}, ${oneLine(name)}`
  return [
    ...(isTest ? [words.test] : []),
    ...troubles.map(({ kind, name }) =>
      name === null ? words.troubles[kind] : `${words.troubles[kind]}: ${oneLine(name)}`
    ),
    ...ofTally(late, true),
    ...ofTally(paid, false),
    ...(doubt === null ? [] : [words.doubt(doubt.count, money(doubt.sum), doubt.troubles)])
  ]
}

const headOf = ({ organization, mode, language }: MessageFacts): string =>
  `${oneLine(organization)}${mode === "sandbox" ? ` (${noticeWords[language].sandbox})` : ""}`

/** As plain text. */
export const messageText = (facts: MessageFacts): string => {
  const text = [headOf(facts), ...linesOf(facts)].join("\n")
  return `${text.slice(0, maxText).toWellFormed()}\n${facts.link}`
}

/** As a letter. */
export const messageLetter = (facts: MessageFacts, { id, to }: Pick<Letter, "id" | "to">): Letter => {
  const words = noticeWords[facts.language]
  const lines = linesOf(facts)
  return {
    id,
    to,
    subject: `${headOf(facts)}: ${lines[0] ?? ""}`.slice(0, maxSubject).toWellFormed(),
    text: [headOf(facts), "", ...lines, "", facts.link, "", words.stop].join("\n"),
    html: String(html`<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${headOf(facts)}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 16px;font-size:20px;font-weight:600">${headOf(facts)}</p>
${lines.map((line) => html`<p style="margin:0 0 8px">${line}</p>`)}
<p style="margin:16px 0 12px"><a href="${facts.link}">${words.open}</a></p>
<p style="margin:0;font-size:13px;opacity:.75">${words.stop}</p>
</div></body></html>`)
  }
}
