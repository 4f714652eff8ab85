/**
 * The letter to an address that an account has no longer: one who has taken the account over cannot keep its owner from
 * hearing of it. In Kazakh and in Russian, as text and as HTML. It names neither the new address nor the phone. Pure.
 */
import type { Letter } from "../mail/Mailer.ts"
import { html } from "../value/Html.ts"

/** What the letter is made of. */
export interface NoticeFacts {
  readonly id: string
  /** The address that was the account's. */
  readonly to: string
  /** Whether the account has another one now, or none. */
  readonly became: "changed" | "removed"
}

const subject = "E-mail мекенжайыңыз өзгерді / Ваш адрес e-mail изменён"

const texts = [
  {
    changed: "Кабинеттегі e-mail мекенжайыңыз басқасына ауыстырылды. Бұл мекенжайға енді код келмейді.",
    removed: "Кабинеттегі e-mail мекенжайыңыз алынып тасталды. Бұл мекенжайға енді код келмейді.",
    warning: "Мұны сіз жасамаған болсаңыз, телефоныңызбен кіріп, профиліңіздегі басқа сеанстарды аяқтаңыз."
  },
  {
    changed: "Адрес e-mail в вашем кабинете заменён другим. Коды на этот адрес больше не приходят.",
    removed: "Адрес e-mail в вашем кабинете удалён. Коды на этот адрес больше не приходят.",
    warning: "Если это сделали не вы, войдите по телефону и завершите другие сеансы в профиле."
  }
]

/** The letter, ready to be handed over. */
export const render = ({ id, to, became }: NoticeFacts): Letter => ({
  id,
  to,
  subject,
  text: texts.map((own) => `${own[became]}\n${own.warning}`).join("\n\n— — —\n\n"),
  html: String(html`<!doctype html>
<html lang="kk"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
${texts.map((own) => html`<p style="margin:0 0 12px"><strong>${own[became]}</strong><br>${own.warning}</p>`)}
</div></body></html>`)
})
