/** The letter that carries a code: in Kazakh and in Russian, as text and as HTML. Nothing is loaded by it. Pure. */
import type { Letter } from "../mail/Mailer.ts"
import { html } from "../value/Html.ts"

/** What the letter is made of. */
export interface CodeFacts {
  readonly id: string
  readonly to: string
  /** Six digits. They stand in the body alone: a subject is shown on locked screens, and kept in logs. */
  readonly code: string
}

const subject = "Кіру коды / Код для входа"

const texts = [
  {
    title: "Кабинетке кіру коды",
    warning: "Кодты ешкімге айтпаңыз. Егер оны сұрамаған болсаңыз, бұл хатты елемеңіз."
  },
  {
    title: "Код для входа в кабинет",
    warning: "Никому не сообщайте код. Если вы его не запрашивали, не обращайте внимания на это письмо."
  }
]

/** The letter, ready to be handed over. */
export const render = ({ id, to, code }: CodeFacts): Letter => ({
  id,
  to,
  subject,
  text: texts.map(({ title, warning }) => `${title}: ${code}\n${warning}`).join("\n\n— — —\n\n"),
  html: String(html`<!doctype html>
<html lang="kk"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 16px;font-size:32px;font-weight:600;letter-spacing:4px">${code}</p>
${texts.map(({ title, warning }) => html`<p style="margin:0 0 12px"><strong>${title}</strong><br>${warning}</p>`)}
</div></body></html>`)
})
