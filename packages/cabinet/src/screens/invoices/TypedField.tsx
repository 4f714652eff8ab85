/** A field of the filter in which people type: it is looked for a moment after the last letter. */
import { type ComponentPropsWithRef, useEffect, useRef, useState } from "react"
import { later } from "../../browser/Clock.ts"
import { Field } from "../../parts/Field.tsx"

interface TypedFieldProps extends Omit<ComponentPropsWithRef<"input">, "value" | "onChange"> {
  readonly label: string
  /** What is looked for now; empty: nothing. */
  readonly value: string
  readonly onFind: (value: string) => void
  /** How a value is shown, and what is shown of what is typed. */
  readonly shown?: (typed: string) => string
  /** The value that a text says; null: it says none. */
  readonly read?: (text: string) => string | null
  /** What is wrong with a text that says none. */
  readonly wrong?: string
}

const pauseMs = 300
const same = (text: string): string => text
const trimmed = (text: string): string => text.trim()

/** The field. */
export const TypedField = (props: TypedFieldProps) => {
  const { value, onFind, shown = same, read = trimmed, wrong, ...field } = props
  const [typed, setTyped] = useState(shown(value))
  const sent = useRef(value)
  const latest = useRef({ onFind, shown, read })
  latest.current = { onFind, shown, read }
  // It was changed elsewhere: the filter was cleared, or a person went back.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(latest.current.shown(value))
  }, [value])
  useEffect(() => {
    const wanted = latest.current.read(typed)
    if (wanted === null || wanted === sent.current) return undefined
    return later(pauseMs, () => {
      sent.current = wanted
      latest.current.onFind(wanted)
    })
  }, [typed])
  return (
    <Field
      {...field}
      autoComplete="off"
      value={typed}
      wrong={wrong !== undefined && read(typed) === null ? wrong : null}
      onChange={({ currentTarget }) => setTyped(shown(currentTarget.value))}
    />
  )
}
