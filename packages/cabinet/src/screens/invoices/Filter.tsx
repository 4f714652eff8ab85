/** What narrows the list down. Words are looked for as they are typed, a moment after the last letter. */
import { Search, SlidersHorizontal } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { type InvoiceFilter, isNarrow } from "../../app/InvoiceFilter.ts"
import { later } from "../../browser/Clock.ts"
import { Button } from "../../parts/Button.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Invoices.module.css"

interface FilterProps {
  readonly filter: InvoiceFilter
  readonly onChange: (filter: InvoiceFilter) => void
}

const statuses = ["paid", "partially_refunded", "refunded", "expired", "cancelled", "failed"] as const
const openOnes = "new,pending"
const pauseMs = 300

const changed = (filter: InvoiceFilter, name: keyof InvoiceFilter, value: string): InvoiceFilter => {
  const { [name]: _, ...rest } = filter
  return value === "" ? rest : { ...rest, [name]: value }
}

/** The filter. */
export const Filter = ({ filter, onChange }: FilterProps) => {
  const { texts } = useWords()
  const { invoices } = texts
  // On phones the rest is folded away until it is wanted.
  const [isOpen, setOpen] = useState([filter.status, filter.from, filter.to].some((part) => part !== undefined))
  const set = (name: keyof InvoiceFilter) => (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(changed(filter, name, event.currentTarget.value))
  return (
    <search className={styles["filter"]} aria-label={invoices.filters} data-open={isOpen || undefined}>
      <SearchField key={filter.search === undefined ? "empty" : "full"} filter={filter} onChange={onChange} />
      <Button look="plain" isSmall className={styles["unfold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal size={18} aria-hidden />
        {invoices.filters}
      </Button>
      <SelectField label={invoices.status} value={filter.status ?? ""} onChange={set("status")}>
        <option value="">{invoices.anyStatus}</option>
        <option value={openOnes}>{invoices.open}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {texts.statuses[status]}
          </option>
        ))}
      </SelectField>
      <Field label={invoices.from} type="date" value={filter.from ?? ""} max={filter.to} onChange={set("from")} />
      <Field label={invoices.to} type="date" value={filter.to ?? ""} min={filter.from} onChange={set("to")} />
      {isNarrow(filter) && (
        <Button look="plain" isSmall onClick={() => onChange({})}>
          {invoices.reset}
        </Button>
      )}
    </search>
  )
}

const SearchField = ({ filter, onChange }: FilterProps) => {
  const { texts } = useWords()
  const [typed, setTyped] = useState(filter.search ?? "")
  const latest = useRef({ filter, onChange })
  latest.current = { filter, onChange }
  useEffect(() => {
    const wanted = typed.trim()
    const { filter: now, onChange: change } = latest.current
    if (wanted === (now.search ?? "")) return undefined
    return later(pauseMs, () => change(changed(latest.current.filter, "search", wanted)))
  }, [typed])
  return (
    <div className={styles["search"]}>
      <Field
        label={texts.invoices.search}
        type="search"
        autoComplete="off"
        placeholder={texts.invoices.searchHint}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Search size={20} aria-hidden />
    </div>
  )
}
