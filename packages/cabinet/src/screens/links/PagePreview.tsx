/** The page of a payment link as customers will see it, while it is typed: in the words and colours of that page. */
import { useQuery } from "@tanstack/react-query"
import { shadesOf } from "@tolem/core/face/Shades"
import { linkTextsOf } from "@tolem/http-server/pages/texts/LinkTexts"
import { type CSSProperties, useSyncExternalStore } from "react"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { picturePath } from "../../browser/Place.ts"
import { isDarkNow, onSystemTheme } from "../../browser/Theme.ts"
import { amountOf } from "../../parts/AmountText.ts"
import { tenge } from "../../parts/MoneyWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { presetsIn, type TypedLink } from "./LinkDraft.ts"
import styles from "./Links.module.css"
import { useLinksTexts } from "./Texts.ts"

interface OfTyped {
  readonly typed: TypedLink
}

/** The page in the small. */
export const PagePreview = ({ typed }: OfTyped) => {
  const words = useLinksTexts()
  const { language } = useWords()
  const page = linkTextsOf(language)
  const { data: seller } = useQuery(reading("GET /panel/orgs/:organizationId/profile", useGiven()))
  const isDark = useSyncExternalStore(onSystemTheme, isDarkNow)
  const asked = (["name", "phone", "email", "comment"] as const).filter((field) => typed.fields[field] !== "off")
  const colour = seller?.colour ?? null
  return (
    <figure className={styles["preview"]} style={colour === null ? undefined : shadesIn(colour, isDark)}>
      <figcaption>{words.preview}</figcaption>
      <div className={styles["page"]}>
        <Seller name={seller?.name ?? ""} logoUrl={seller?.logoUrl ?? null} />
        {typed.picture !== null && <img className={styles["picture"]} src={typed.picture.url} alt="" />}
        <p className={styles["name"]}>{typed.title.trim() === "" ? words.fields.title : typed.title}</p>
        {typed.description.trim() !== "" && <p className={styles["note"]}>{typed.description}</p>}
        <Amounts typed={typed} />
        {asked.map((field) => (
          <Blank
            key={field}
            label={page.fields[field]}
            note={typed.fields[field] === "optional" ? page.optional : null}
          />
        ))}
        <span className={styles["press"]}>{page.pay}</span>
      </div>
    </figure>
  )
}

/** The shades as the style sheet asks for them. */
const shadesIn = (colour: string, isDark: boolean): CSSProperties => {
  const { accent, soft, button, onButton } = shadesOf(colour.toLowerCase(), isDark ? "dark" : "light")
  return { "--shade": accent, "--soft": soft, "--press": button, "--on-press": onButton } as CSSProperties
}

const Seller = ({ name, logoUrl }: { readonly name: string; readonly logoUrl: string | null }) => (
  <span className={styles["seller"]}>
    {logoUrl === null ? (
      <span className={styles["mark"]}>{/[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase()}</span>
    ) : (
      <img src={picturePath(logoUrl)} alt="" />
    )}
    <span>{name}</span>
  </span>
)

const Amounts = ({ typed }: OfTyped) => {
  const { language } = useWords()
  const page = linkTextsOf(language)
  if (!typed.isTyped) {
    const amount = amountOf(typed.amount)
    return <strong className={styles["sum"]}>{amount === null ? "… ₸" : tenge(amount)}</strong>
  }
  const [least, most] = [amountOf(typed.minAmount), amountOf(typed.maxAmount)]
  const offered = [...new Set(presetsIn(typed.presets))]
  const bounds =
    most !== null ? page.between(tenge(least ?? 1), tenge(most)) : least === null ? null : page.from(tenge(least))
  return (
    <>
      {offered.length > 0 && (
        <span className={styles["offered"]}>
          {offered.map((each) => (
            <span key={each}>{tenge(each)}</span>
          ))}
          <span>{page.other}</span>
        </span>
      )}
      <Blank label={page.fields.amount} note={bounds} />
    </>
  )
}

/** A field that is to be filled in. */
const Blank = ({ label, note }: { readonly label: string; readonly note: string | null }) => (
  <span className={styles["blank"]}>
    <span>
      {label}
      {note !== null && <small> ({note})</small>}
    </span>
    <span aria-hidden="true" />
  </span>
)
