/** What the letter with a month's statement says: in Kazakh and in Russian, as text and as HTML. Pure. */
import type { Letter } from "../../mail/Mailer.ts"
import { type Html, html } from "../../value/Html.ts"
import { inTenge } from "../export/Csv.ts"
import type { Moved, MovedSums } from "../statement/MovementStore.ts"
import { addMoved, unmoved } from "../statement/StatementJson.ts"
import { daysOfMonth } from "./StatementLetter.ts"

/** What the letter is made of. */
export interface StatementFacts {
  /** The same at every attempt. */
  readonly id: string
  readonly to: string
  readonly organization: string
  readonly month: string
  readonly sums: MovedSums
  readonly nameOf: (connectionId: string | null) => string | null
  /** Of the statement in the cabinet. */
  readonly link: string
}

interface Words {
  readonly title: string
  readonly period: string
  readonly paid: string
  readonly late: string
  readonly refunded: string
  readonly net: string
  readonly noCashier: string
  readonly open: string
  readonly stop: string
}

const words: ReadonlyArray<Words> = [
  {
    title: "Айлық ведомость",
    period: "Кезең",
    paid: "Төленді",
    late: "Оның ішінде кешіккені",
    refunded: "Қайтарылды",
    net: "Қорытынды",
    noCashier: "Кассирсіз",
    open: "Ведомостьті ашу",
    stop: "Бұл хаттан кабинеттің «Есептер» бетінде бас тартуға болады."
  },
  {
    title: "Ведомость за месяц",
    period: "Период",
    paid: "Оплачено",
    late: "Из них поздние",
    refunded: "Возвращено",
    net: "Итого",
    noCashier: "Без кассира",
    open: "Открыть ведомость",
    stop: "Отказаться от этого письма можно в кабинете на экране «Отчёты»."
  }
]

/** `1 500,50 ₸`; its spaces do not break. */
const money = (sum: bigint): string => {
  const [whole = "", tiyn = ""] = inTenge(sum).replace("-", "\u2212").split(".")
  return `${whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0")},${tiyn}\u00a0₸`
}

// Neither a header nor a line of text may be broken by what a merchant typed, nor its direction be turned.
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim()

const dotted = (day: string): string => day.split("-").toReversed().join(".")

const maxSubject = 180

type Fact = readonly [label: string, value: string]

const factsOf = ({ month, sums, nameOf }: StatementFacts, own: Words): ReadonlyArray<Fact> => {
  const all = sums.days.reduce<Moved>(addMoved, unmoved)
  const { from, to } = daysOfMonth(month)
  const cashiers = sums.cashiers.map(({ connectionId, paid, refunded }): Fact => {
    const name = connectionId === null ? own.noCashier : (nameOf(connectionId) ?? connectionId)
    return [oneLine(name), money(paid - refunded)]
  })
  return [
    [own.period, `${dotted(from)} – ${dotted(to)}`],
    [own.paid, `${money(all.paid)} (${all.payments})`],
    ...(all.latePayments > 0 ? [[own.late, `${money(all.late)} (${all.latePayments})`] as const] : []),
    [own.refunded, `${money(all.refunded)} (${all.refunds})`],
    [own.net, money(all.paid - all.refunded)],
    ...(cashiers.length > 1 ? cashiers : [])
  ]
}

/** The letter, ready to be handed over. */
export const render = (facts: StatementFacts): Letter => {
  const name = oneLine(facts.organization)
  const parts = words.map((own) => ({ own, facts: factsOf(facts, own) }))
  const { month, link } = facts
  return {
    id: facts.id,
    to: facts.to,
    subject: `${words.map(({ title }) => title).join(" / ")}: ${name}, ${month}`.slice(0, maxSubject),
    text: parts
      .map((part) =>
        [
          `${part.own.title}: ${name}`,
          ...part.facts.map(([label, value]) => `${label}: ${value}`),
          `${part.own.open}: ${link}`,
          part.own.stop
        ].join("\n")
      )
      .join("\n\n— — —\n\n"),
    html: String(html`<!doctype html>
<html lang="kk"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${words[0]?.title ?? ""}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 16px;font-size:20px;font-weight:600">${name}</p>
${parts.map((part) => section(part, link))}
</div></body></html>`)
  }
}

const section = (part: { readonly own: Words; readonly facts: ReadonlyArray<Fact> }, link: string): Html => html`
<div style="border-top:1px solid #8886;margin-top:16px;padding-top:16px">
<p style="margin:0 0 12px;font-weight:600">${part.own.title}</p>
<table style="border-collapse:collapse;margin:0 0 16px">${part.facts.map(
  ([
    label,
    value
  ]) => html`<tr><th scope="row" style="padding:2px 16px 2px 0;font-weight:400;text-align:left">${label}</th>
<td style="padding:2px 0;text-align:right">${value}</td></tr>`
)}</table>
<p style="margin:0 0 12px"><a href="${link}">${part.own.open}</a></p>
<p style="margin:0;font-size:13px;opacity:.75">${part.own.stop}</p>
</div>`
