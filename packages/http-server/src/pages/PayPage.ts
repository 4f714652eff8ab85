/** The page that a customer pays at, and that afterwards says how it went. Pure. */
import type { Seller } from "@tolem/core/face/MerchantFace"
import { type Invoice, isLatePayable, isOpen } from "@tolem/core/invoice/Invoice"
import { isSucceedable } from "@tolem/core/invoice/succession/Succession"
import { toIso } from "@tolem/core/value/Calendar"
import { type Html, html, verbatim } from "@tolem/core/value/Html"
import { money } from "@tolem/core/value/MoneyText"
import { maskedForCustomer } from "@tolem/core/value/Phone"
import { instant } from "./Formats.ts"
import * as Icons from "./Icons.ts"
import type { Language } from "./Language.ts"
import type { Page, Refresh } from "./Layout.ts"
import { appLink, pathOf, returnWith, webLink } from "./Links.ts"
import { amount, askSeller, contactLines, facts, sandboxBanner, sellerLine, type Tone, thanks, time } from "./Parts.ts"
import { type PayState, pollMsOf, seenOf, stateOf } from "./PayState.ts"
import { type PanelPaths, sandboxPanel } from "./SandboxPanel.ts"
import type { Theme } from "./Themes.ts"
import { linkTextsOf } from "./texts/LinkTexts.ts"
import type { Texts } from "./texts/Texts.ts"
import { textsOf } from "./texts/Translations.ts"

/** What the page is made of. */
export interface PayView extends PanelPaths {
  readonly invoice: Invoice
  readonly seller: Seller
  /** Path of the seller's logo; null: none. */
  readonly logoPath: string | null
  readonly theme: Theme | null
  /** Address of the image that messengers show; null: none. */
  readonly previewUrl: string | null
  /** The code of the invoice's `qrUrl`; null if there is none. */
  readonly qr: Html | null
  /** Paths on this server. */
  readonly codePath: string
  /** Leads to the successor of a lost invoice. */
  readonly againPath: string
  readonly statusPath: string
  readonly changesPath: string
  readonly receiptPath: string
  readonly link: LinkBehind | null
  readonly now: number
  readonly language: Language
  /** The visitor would rather not be led back. */
  readonly stays: boolean
}

/** The payment link that the invoice was made at. */
export interface LinkBehind {
  /** Shown to who has paid. */
  readonly thankYou: string | null
  /** The path of its page; null: it cannot be paid now. */
  readonly path: string | null
}

/** Names the invoice's status and what it takes to pay it. Of the customer no more is shown than a masked phone. */
export const payPage = (view: PayView): Page => {
  const { invoice, now } = view
  const texts = textsOf(view.language)
  const state = stateOf(invoice, now)
  const wide = state === "scan" && view.qr !== null
  const payable = isOpen(invoice.status) || isLatePayable(invoice.status)
  const isRenewable = isSucceedable(invoice, now)
  const panel = sandboxPanel(invoice, view, view.language)
  const returning = returnOf(view)
  const lost = state === "expired" || state === "failed" || state === "cancelled"
  const frames = view.seller.face.allowedOrigins
  const told = frames.length === 0 ? null : html` data-invoice="${invoice.id}" data-is="${invoice.status}"`
  const main = html`<main class="${wide ? "wide" : "narrow"} ${looks[state].tone}"${polling(view)}${told}>
${sellerLine(view.seller.name, view.logoPath)}
<div class="about">${amount(invoice.amount)}${
    invoice.description === null ? null : html`<p class="quiet"><bdi>${invoice.description}</bdi></p>`
  }${facts([[texts.order, invoice.externalOrderId]])}</div>
${state === "scan" ? null : outcome(view, state, texts)}
${state === "paid" ? thanks(view.link?.thankYou) : null}
${payable ? waiting(view, state, texts) : null}
${state === "scan" ? toPay(view, texts) : null}
${state === "scanned" ? codeAgain(view, texts) : null}
${state === "ready" ? demand(view, texts) : null}
${helpful(view, state, texts)}
${isRenewable ? again(view, texts, returning) : actions(view, state, texts, returning)}
${lost ? ask(view, texts) : null}
${contactLines(view.seller, texts)}
${panel}
</main>`
  return {
    title: `${money(invoice.amount)} · ${texts.states[state].title}`,
    main,
    refresh: refreshOf(view, state, isRenewable ? null : returning),
    scripted: true,
    banner: sandboxBanner(invoice, texts),
    hasForm: state === "ready" || isRenewable || panel !== null,
    theme: view.theme,
    frames,
    preview: {
      title: view.seller.name === null ? money(invoice.amount) : `${money(invoice.amount)} · ${view.seller.name}`,
      text: texts.preview,
      seller: view.seller.name,
      imageUrl: view.previewUrl
    }
  }
}

const looks: Readonly<Record<PayState, { readonly tone: Tone; readonly icon: Html }>> = {
  ready: { tone: "calm", icon: Icons.phone },
  preparing: { tone: "calm", icon: Icons.clock },
  scan: { tone: "calm", icon: Icons.phone },
  app: { tone: "calm", icon: Icons.phone },
  scanned: { tone: "good", icon: Icons.phone },
  overdue: { tone: "calm", icon: Icons.clock },
  paid: { tone: "good", icon: Icons.check },
  failed: { tone: "bad", icon: Icons.cross },
  expired: { tone: "warn", icon: Icons.clock },
  cancelled: { tone: "warn", icon: Icons.closed },
  refunded: { tone: "calm", icon: Icons.backwards },
  partially_refunded: { tone: "calm", icon: Icons.backwards }
}

const polling = ({ invoice, statusPath, changesPath }: PayView): Html | null => {
  const every = pollMsOf(invoice)
  if (every === null) return null
  const shown = html` data-status="${invoice.status}" data-seen="${seenOf(invoice)}"`
  return html` data-changes="${changesPath}" data-poll="${statusPath}" data-every="${every}"${shown}`
}

/** Where the customer pays. The test bank is a page of this server: it keeps their language, and leaves a frame. */
const appOf = ({ invoice, bankPath, language }: PayView): Html | null => {
  const link = appLink(invoice.deepLink)
  if (link === null) return null
  const isBank = invoice.mode === "sandbox" && pathOf(link) === bankPath
  return isBank ? html`href="${bankPath}?lang=${language}" data-out` : html`href="${link}"`
}

const toPay = (view: PayView, texts: Texts): Html => {
  const { qr } = view
  const app = appOf(view)
  const button =
    app === null
      ? null
      : html`<a class="button${qr === null ? "" : " beside"}" ${app}
        >${Icons.phone}<span>${texts.payInApp}</span></a>`
  const code = qr === null ? null : html`<div class="plate">${qr}</div><p class="caption quiet">${texts.scan}</p>`
  return html`<div class="pay">${button}${code}</div>`
}

/** What to do if nothing happens. The script keeps it back for a minute; without it, it is there to be opened. */
const helpful = ({ invoice }: PayView, state: PayState, texts: Texts): Html | null => {
  if (state !== "scan" && state !== "app" && state !== "scanned") return null
  const tips = [...(invoice.kind === "phone" ? texts.help.phone : texts.help.code), texts.help.once]
  const share = html`<button class="plain" type="button" data-share="${texts.copied}" aria-live="polite" hidden
    >${texts.share}</button>`
  return html`${invoice.kind === "qr" ? share : null}<details class="more" data-help="60000"
    ><summary>${texts.help.title}</summary><ul class="quiet">${tips.map((tip) => html`<li>${tip}</li>`)}</ul></details>`
}

/** For who has opened it and lost it again: the code, out of the way. */
const codeAgain = (view: PayView, texts: Texts): Html | null =>
  view.qr === null
    ? null
    : html`<details class="more"><summary>${texts.codeAgain}</summary>${toPay(view, texts)}</details>`

/** Asks for the code: the script does by itself, and shows the button only if that does not help. */
const demand = ({ codePath, language }: PayView, texts: Texts): Html => {
  const said = html` data-asking="${texts.states.preparing.text}" data-closed="${texts.closed.title}"`
  return html`<form class="actions" method="post" action="${codePath}?lang=${language}" data-code="${codePath}"${said}
    ><button class="button">${texts.showCode}</button></form>`
}

/** Leads on with another code; who comes from a shop may go back to it, and is not sent there. */
const again = ({ againPath, language }: PayView, texts: Texts, returning: Returning | null): Html => {
  const back =
    returning === null ? null : html`<a class="button second" href="${returning.url}" data-back>${texts.back}</a>`
  return html`<form class="actions" method="post" action="${againPath}?lang=${language}"
    ><button class="button">${texts.again}</button>${back}</form>`
}

const outcome = ({ invoice, language, now }: PayView, state: PayState, texts: Texts): Html => {
  const { title } = texts.states[state]
  const text =
    isSucceedable(invoice, now) && (state === "expired" || state === "failed")
      ? texts.renewable[state]
      : texts.states[state].text
  const { status, paidAt, receiptNumber, refunded, customer } = invoice
  const rows = facts([
    [
      texts.sentTo,
      invoice.kind === "phone" && isOpen(status) && customer.phone !== null ? maskedForCustomer(customer.phone) : null
    ],
    [texts.refunded, refunded > 0 ? money(refunded) : null],
    [texts.paidAt, paidAt === null ? null : time(toIso(paidAt), instant(paidAt, language))],
    [texts.receiptNumber, receiptNumber]
  ])
  const badge = html`<span class="badge">${looks[state].icon}</span>`
  return html`<hr><div class="state">${badge}<h1>${title}</h1><p>${text}</p></div>${rows}`
}

/** A window of hours is no race: seconds of it would only worry. */
const mostCountedMs = 60 * 60 * 1000

const until = (at: number, { language }: PayView): Html => {
  const { payBy, almatyTime } = textsOf(language)
  return html`<p class="until"><span class="quiet">${payBy}</span><b>${time(
    toIso(at),
    `${instant(at, language)} (${almatyTime})`
  )}</b></p>`
}

const waiting = (view: PayView, state: PayState, texts: Texts): Html => {
  const { invoice, now } = view
  // Its last change was the making of its code.
  const { expiresAt, updatedAt } = invoice
  const counted = (state === "scan" || state === "app" || state === "scanned") && expiresAt !== null
  const heading = state === "scan" ? html`<h1>${texts.states.scan.title}</h1>` : null
  const timer = !counted
    ? null
    : expiresAt - now > mostCountedMs
      ? until(expiresAt, view)
      : html`<div class="timer"
    ><div data-clock="${expiresAt - now}" data-full="${Math.max(1, expiresAt - updatedAt)}"
      hidden
      ><p role="timer"><span class="quiet">${texts.timeLeft}</span><b data-left></b></p
      ><div class="track" aria-hidden="true"
      ><i data-bar></i></div></div><noscript>${until(expiresAt, view)}</noscript></div>`
  const live = html`<p class="live" role="status" data-live data-offline="${texts.offline}"
    data-over="${texts.states.overdue.text}"${state === "ready" ? verbatim` hidden` : null}>${texts.updatesItself}</p>`
  return html`<div class="wait">${heading}${timer}${live}</div>`
}

type Returning = Refresh & { readonly url: string; readonly isAwaited: boolean }

/** Where the visitor may go back to, by themselves where the invoice says so. */
const returnOf = ({ invoice, seller, stays }: PayView): Returning | null => {
  const { id, status, successUrl, failUrl } = invoice
  const failed = status === "failed" || isLatePayable(status)
  if (status !== "paid" && !failed) return null
  const url = returnWith(failed ? failUrl : successUrl, { INVOICE_ID: id, STATUS: status })
  if (url === null) {
    const home = webLink(seller.face.returnUrl)
    return home === null ? null : { url: home, afterSeconds: 0, isAwaited: false }
  }
  // After a failure there is more to read.
  return { url, afterSeconds: failed ? 10 : 5, isAwaited: !stays }
}

const refreshOf = ({ invoice }: PayView, state: PayState, returning: Returning | null): Refresh | null => {
  if (state === "ready") return null
  if (returning?.isAwaited === true) return returning
  const every = pollMsOf(invoice)
  return every === null ? null : { url: null, afterSeconds: Math.ceil(every / 500) }
}

/** Ways out for who has not paid: the link, and the seller. */
const ask = ({ seller, link, language }: PayView, texts: Texts): Html | null => {
  const path = link?.path ?? null
  const { back } = linkTextsOf(language)
  const start = path && html`<a class="button second" href="${path}?lang=${language}">${back}</a>`
  const ways = askSeller(seller.face, texts)
  return start || ways ? html`<div class="actions">${start || null}${ways}</div>` : null
}

const actions = (
  { receiptPath, language }: PayView,
  state: PayState,
  texts: Texts,
  returning: Returning | null
): Html | null => {
  const receipted = state === "paid" || state === "refunded" || state === "partially_refunded"
  const receipt = receipted
    ? html`<a class="button second" href="${receiptPath}?lang=${language}" data-out
      >${Icons.receipt}<span>${texts.openReceipt}</span></a>`
    : null
  if (returning === null) return receipt === null ? null : html`<div class="actions">${receipt}</div>`
  if (!returning.isAwaited) {
    return html`<div class="actions"><a class="button second" href="${returning.url}" data-back>${texts.back}</a
      >${receipt}</div>`
  }
  return html`<div class="actions"><a class="button" href="${returning.url}" data-back
    data-return="${returning.afterSeconds}">${texts.back} <span class="number" aria-hidden="true"
    data-seconds hidden>${returning.afterSeconds}</span></a
    >${receipt}<p class="caption quiet" data-soon>${texts.backSoon}</p
    ><button class="plain" type="button" data-stay hidden
    >${texts.stay}</button><noscript><a class="plain" href="?lang=${language}&amp;stay=1"
    >${texts.stay}</a></noscript></div>`
}
