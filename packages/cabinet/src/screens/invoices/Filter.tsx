/** What narrows the list down. */
import { Search, SlidersHorizontal } from "lucide-react"
import { Fragment, useState } from "react"
import { type InvoiceFilter, isNarrow, kinds, origins } from "../../app/InvoiceFilter.ts"
import { amountOf, amountText } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { useWords } from "../../parts/Words.tsx"
import { useCashiers } from "../cashiers/Cashier.ts"
import styles from "./Invoices.module.css"
import { TypedField } from "./TypedField.tsx"

interface FilterProps {
  readonly filter: InvoiceFilter
  readonly onChange: (filter: InvoiceFilter) => void
}

const statuses = ["paid", "partially_refunded", "refunded", "expired", "cancelled", "failed"] as const
const openOnes = "new,pending"

const changed = (filter: InvoiceFilter, name: keyof InvoiceFilter, value: string): InvoiceFilter => {
  const { [name]: _, ...rest } = filter
  return value === "" ? rest : { ...rest, [name]: value }
}

/** The filter. */
export const Filter = ({ filter, onChange }: FilterProps) => {
  const { invoices } = useWords().texts
  const { search, ...rest } = filter
  // On phones the rest is folded away until it is wanted.
  const [isOpen, setOpen] = useState(isNarrow(rest))
  // What was typed and says nothing is cleared too.
  const [turn, setTurn] = useState(0)
  const set = (name: keyof InvoiceFilter) => (value: string) => onChange(changed(filter, name, value))
  const reset = () => {
    setTurn(turn + 1)
    onChange({})
  }
  return (
    <search className={styles["filter"]} aria-label={invoices.filters} data-open={isOpen || undefined}>
      <div className={styles["search"]}>
        <TypedField
          key={turn}
          label={invoices.search}
          type="search"
          placeholder={invoices.searchHint}
          value={search ?? ""}
          onFind={set("search")}
        />
        <Search size={20} aria-hidden />
      </div>
      <Button look="plain" isSmall className={styles["unfold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal size={18} aria-hidden />
        {invoices.filters}
      </Button>
      <Choices filter={filter} set={set} />
      <Field
        label={invoices.from}
        type="date"
        value={filter.from ?? ""}
        max={filter.to}
        onChange={({ currentTarget }) => set("from")(currentTarget.value)}
      />
      <Field
        label={invoices.to}
        type="date"
        value={filter.to ?? ""}
        min={filter.from}
        onChange={({ currentTarget }) => set("to")(currentTarget.value)}
      />
      <Fragment key={turn}>
        <AmountField label={invoices.minAmount} value={filter.minAmount ?? ""} onFind={set("minAmount")} />
        <AmountField label={invoices.maxAmount} value={filter.maxAmount ?? ""} onFind={set("maxAmount")} />
      </Fragment>
      {isNarrow(filter) && (
        <Button look="plain" isSmall onClick={reset}>
          {invoices.reset}
        </Button>
      )}
    </search>
  )
}

interface ChoicesProps {
  readonly filter: InvoiceFilter
  readonly set: (name: keyof InvoiceFilter) => (value: string) => void
}

const Choices = ({ filter, set }: ChoicesProps) => {
  const { texts } = useWords()
  const { invoices, invoice, till } = texts
  const cashiers = useCashiers().map(({ id, name }) => [id, name] as const)
  const byStatus = statuses.map((status) => [status, texts.statuses[status]] as const)
  return (
    <>
      <Choice
        label={invoices.status}
        any={invoices.anyStatus}
        value={filter.status}
        among={[[openOnes, invoices.open], ...byStatus]}
        onChoose={set("status")}
      />
      <Choice
        label={invoice.kind}
        any={invoices.anyKind}
        value={filter.kind}
        among={kinds.map((kind) => [kind, invoice.kinds[kind]])}
        onChoose={set("kind")}
      />
      <Choice
        label={invoices.origin}
        any={invoices.anyOrigin}
        value={filter.source}
        among={origins.map((origin) => [origin, invoices.origins[origin]])}
        onChoose={set("source")}
      />
      {(cashiers.length > 0 || filter.connectionId !== undefined) && (
        <Choice
          label={till.cashier}
          any={invoices.anyCashier}
          value={filter.connectionId}
          among={cashiers}
          onChoose={set("connectionId")}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly any: string
  readonly value: string | undefined
  /** Values with their names. */
  readonly among: ReadonlyArray<readonly [string, string]>
  readonly onChoose: (value: string) => void
}

const Choice = ({ label, any, value = "", among, onChoose }: ChoiceProps) => (
  <SelectField label={label} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
    <option value="">{any}</option>
    {among.map(([each, name]) => (
      <option key={each} value={each}>
        {name}
      </option>
    ))}
    {value !== "" && among.every(([each]) => each !== value) && <option value={value}>{value}</option>}
  </SelectField>
)

interface AmountFieldProps {
  readonly label: string
  readonly value: string
  readonly onFind: (value: string) => void
}

const AmountField = ({ label, value, onFind }: AmountFieldProps) => (
  <TypedField
    label={label}
    inputMode="decimal"
    value={value}
    shown={amountText}
    read={(text) => (text.trim() === "" ? "" : (amountOf(text)?.toString() ?? null))}
    wrong={useWords().texts.till.tooSmall}
    onFind={onFind}
  />
)
