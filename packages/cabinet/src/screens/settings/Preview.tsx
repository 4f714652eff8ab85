/** What customers will see: a pay page and a receipt in the small, in the colours that the pages derive. */
import { shadesOf } from "@tolem/core/face/Shades"
import { CircleCheck, QrCode } from "lucide-react"
import { type CSSProperties, useSyncExternalStore } from "react"
import { isDarkNow, onSystemTheme } from "../../browser/Theme.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { type Draft, faultsOf } from "./Draft.ts"
import styles from "./Settings.module.css"

const amount = 12_500

/** The two. */
export const Preview = ({ draft }: { readonly draft: Draft }) => {
  const { settings } = useWords().texts
  const isDark = useSyncExternalStore(onSystemTheme, isDarkNow)
  const hasColour = draft.colour !== "" && !faultsOf(draft).includes("colour")
  return (
    <div className={styles["previews"]} style={hasColour ? shadesIn(draft.colour, isDark) : undefined}>
      <figure>
        <figcaption>{settings.previewPay}</figcaption>
        <div className={styles["paper"]}>
          <Seller draft={draft} />
          <strong className={styles["amount"]}>{tenge(amount)}</strong>
          <QrCode size={96} strokeWidth={1.25} aria-hidden />
          <span className={styles["press"]}>{settings.previewButton}</span>
        </div>
      </figure>
      <figure>
        <figcaption>{settings.previewReceipt}</figcaption>
        <div className={styles["paper"]}>
          <Seller draft={draft} />
          <CircleCheck size={44} aria-hidden className={styles["check"]} />
          <span>{settings.previewPaid}</span>
          <strong className={styles["amount"]}>{tenge(amount)}</strong>
          <Facts draft={draft} />
        </div>
      </figure>
    </div>
  )
}

/** The shades as the style sheet asks for them. */
const shadesIn = (colour: string, isDark: boolean): CSSProperties => {
  const { accent, soft, button, onButton, glow } = shadesOf(colour.toLowerCase(), isDark ? "dark" : "light")
  const shades = { "--shade": accent, "--soft": soft, "--press": button, "--on-press": onButton, "--light": glow }
  return shades as CSSProperties
}

const Seller = ({ draft: { name, logo } }: { readonly draft: Draft }) => {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase()
  return (
    <span className={styles["seller"]}>
      {logo === null ? <span className={styles["mark"]}>{initial}</span> : <img src={logo.url} alt="" />}
      <span>{name}</span>
    </span>
  )
}

const Facts = ({ draft }: { readonly draft: Draft }) => {
  const { settings } = useWords().texts
  const { legalName, idn, phone, email, web, address } = draft
  const lines = [
    legalName,
    idn === "" ? "" : `${settings.labels.idn} ${idn}`,
    [phone === "" ? "" : `+7 ${phone}`, email, web].filter((part) => part !== "").join(" · "),
    address
  ]
  return (
    <small>
      {lines
        .filter((line) => line !== "")
        .map((line) => (
          <span key={line}>{line}</span>
        ))}
    </small>
  )
}
