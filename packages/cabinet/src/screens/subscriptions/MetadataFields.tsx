/** What the merchant keeps with a subscription for their own programs: pairs of a name and a value. */
import { Plus, X } from "lucide-react"
import { useRef } from "react"
import { Button } from "../../parts/Button.tsx"
import { Field } from "../../parts/Field.tsx"
import rows from "../../parts/Rows.module.css"
import styles from "./SubscriptionForm.module.css"
import { useSubscriptionsTexts } from "./Texts.ts"
import { type PairFault, type TypedPair, withPair } from "./TypedMetadata.ts"

interface MetadataFieldsProps {
  readonly pairs: ReadonlyArray<TypedPair>
  readonly fault: PairFault | null
  /** Why the server has refused them; null: it has not. */
  readonly wrong: string | null
  readonly onChange: (pairs: ReadonlyArray<TypedPair>) => void
}

/** The fields. A new pair gets the focus. If a pair is removed, the button that adds one gets it. */
export const MetadataFields = ({ pairs, fault, wrong, onChange }: MetadataFieldsProps) => {
  const { metadata } = useSubscriptionsTexts()
  const adder = useRef<HTMLButtonElement>(null)
  const added = useRef<number | null>(null)
  const change = (id: number, part: Partial<TypedPair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)))
  const add = () => {
    const next = withPair(pairs)
    added.current = next.at(-1)?.id ?? null
    onChange(next)
  }
  const remove = (id: number) => {
    onChange(pairs.filter((pair) => pair.id !== id))
    adder.current?.focus()
  }
  return (
    <fieldset className={`${rows["choices"]} ${styles["pairs"]}`}>
      <legend>{metadata.title}</legend>
      <p className={rows["quiet"]}>{metadata.text}</p>
      {wrong !== null && (
        <p className={rows["wrong"]} role="alert">
          {wrong}
        </p>
      )}
      {pairs.map(({ id, name, value }, index) => (
        <div key={id} className={styles["named"]}>
          <Field
            ref={(input) => {
              if (input === null || added.current !== id) return
              added.current = null
              input.focus()
            }}
            label={metadata.name(index + 1)}
            name={`metadata${id}`}
            autoComplete="off"
            value={name}
            wrong={fault?.pair === id ? metadata[fault.kind] : null}
            onChange={({ currentTarget }) => change(id, { name: currentTarget.value })}
          />
          <Field
            label={metadata.value(index + 1)}
            autoComplete="off"
            value={value}
            onChange={({ currentTarget }) => change(id, { value: currentTarget.value })}
          />
          <Button look="plain" isSmall aria-label={metadata.remove(index + 1)} onClick={() => remove(id)}>
            <X size={18} aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button ref={adder} look="plain" isSmall onClick={add}>
          <Plus size={18} aria-hidden />
          {metadata.add}
        </Button>
      </div>
    </fieldset>
  )
}
