/** Hours in which the person is told nothing. */
import { CheckField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import rows from "../../parts/Rows.module.css"
import { toggled, type WishDraft, weekdays, type wishFaultOf } from "./Draft.ts"
import styles from "./Notifications.module.css"
import { useNotificationsTexts } from "./Texts.ts"

interface QuietProps {
  readonly draft: WishDraft
  readonly wrong: ReturnType<typeof wishFaultOf>
  readonly onChange: (changes: Partial<WishDraft>) => void
}

/** The fields. */
export const Quiet = ({ draft, wrong, onChange }: QuietProps) => {
  const words = useNotificationsTexts()
  return (
    <div className={styles["quiet"]}>
      <CheckField
        label={words.quiet}
        hint={words.quietHint}
        checked={draft.isQuiet}
        onChange={({ currentTarget }) => onChange({ isQuiet: currentTarget.checked })}
      />
      {draft.isQuiet && (
        <>
          <div className={styles["times"]}>
            <Field
              name="from"
              label={words.from}
              type="time"
              value={draft.from}
              wrong={wrong === "from" ? words.timesWrong : null}
              onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
            />
            <Field
              label={words.to}
              type="time"
              value={draft.to}
              onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
            />
          </div>
          <Days draft={draft} wrong={wrong} onChange={onChange} />
        </>
      )}
    </div>
  )
}

const Days = ({ draft, wrong, onChange }: QuietProps) => {
  const words = useNotificationsTexts()
  return (
    <fieldset className={rows["choices"]}>
      <legend>{words.days}</legend>
      <div className={styles["days"]}>
        {weekdays.map((day) => {
          const [short = "", whole = ""] = words.weekdays[day - 1] ?? []
          return (
            <label key={day}>
              <input
                type="checkbox"
                name="days"
                aria-label={whole}
                checked={draft.days.includes(day)}
                onChange={({ currentTarget }) =>
                  onChange({ days: toggled(weekdays, draft.days, day, currentTarget.checked) })
                }
              />
              <span aria-hidden>{short}</span>
            </label>
          )
        })}
      </div>
      {wrong === "days" && (
        <p className={rows["wrong"]} role="alert">
          {words.daysWrong}
        </p>
      )}
    </fieldset>
  )
}
