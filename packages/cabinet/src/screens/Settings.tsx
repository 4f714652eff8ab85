/** An organization's settings: what customers see of it, where its checkout may be shown, and its end. */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useMay } from "../app/Permissions.ts"
import { Button } from "../parts/Button.tsx"
import { Card } from "../parts/Card.tsx"
import { AreaField, Field } from "../parts/Field.tsx"
import { codeOf, Refused, useExplanation } from "../parts/Refused.tsx"
import rows from "../parts/Rows.module.css"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import type { SettingsField } from "../texts/OfficeTexts.ts"
import { Archive } from "./settings/Archive.tsx"
import { type Draft, faultsOf, fieldOf, type SellerFacts } from "./settings/Draft.ts"
import { useProfileReading, useSettings } from "./settings/Form.ts"
import { LogoField } from "./settings/LogoField.tsx"
import { PhoneField } from "./settings/PhoneField.tsx"
import { Preview } from "./settings/Preview.tsx"
import styles from "./settings/Settings.module.css"

/** The screen. */
export const Settings = () => {
  const { settings } = useWords().texts
  const { data, error } = useQuery(useProfileReading())
  const may = useMay()
  useTitle(settings.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <div>
          <h1>{settings.title}</h1>
          <p className={rows["quiet"]}>{settings.about}</p>
        </div>
      </header>
      {error !== null && data === undefined && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={6} tall />}
      {data !== undefined && <Form key={data.id} profile={data} />}
      {data !== undefined && may("organization:archive") !== null && <Archive />}
    </div>
  )
}

type TextField = Exclude<SettingsField, "logo">

const Form = ({ profile }: { readonly profile: SellerFacts }) => {
  const { texts } = useWords()
  const { settings } = texts
  const explain = useExplanation()
  const { draft, change, discard, isChanged, save } = useSettings(profile)
  const [faults, setFaults] = useState<ReadonlyArray<SettingsField>>([])
  const refused = save.error === null ? undefined : fieldOf(codeOf(save.error))
  const wrongOf = (field: SettingsField): string | null => {
    if (faults.includes(field)) return settings.wrong[field] ?? null
    return refused === field ? explain(save.error).title : null
  }
  const set = (changes: Partial<Draft>) => {
    setFaults(faults.filter((field) => !(field in changes)))
    change(changes)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const found = faultsOf(draft)
    setFaults(found)
    if (found[0] === undefined) save.mutate()
    else event.currentTarget.querySelector<HTMLInputElement>(`[name="${found[0]}"]`)?.focus()
  }
  const props = (field: TextField) => ({
    name: field,
    label: settings.labels[field],
    hint: settings.hints[field] ?? null,
    value: draft[field],
    wrong: wrongOf(field)
  })
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <Seller props={props} onChange={set} />
      <Look draft={draft} props={props} wrong={wrongOf("logo")} onChange={set} />
      <Contact props={props} onChange={set} />
      <Checkout props={props} onChange={set} />
      {save.error !== null && refused === undefined && <Refused failure={save.error} />}
      {isChanged && (
        <div className={styles["bar"]}>
          <span role="status">{settings.unsaved}</span>
          <Button look="plain" isSmall onClick={discard}>
            {settings.discard}
          </Button>
          <Button type="submit" isSmall isBusy={save.isPending}>
            {texts.common.save}
          </Button>
        </div>
      )}
    </form>
  )
}

interface PartProps {
  readonly props: (field: TextField) => {
    readonly name: string
    readonly label: string
    readonly hint: string | null
    readonly value: string
    readonly wrong: string | null
  }
  readonly onChange: (changes: Partial<Draft>) => void
}

const Seller = ({ props, onChange }: PartProps) => (
  <Card title={useWords().texts.settings.seller}>
    <Field
      {...props("name")}
      autoComplete="organization"
      maxLength={100}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
    />
    <Field
      {...props("legalName")}
      autoComplete="off"
      maxLength={100}
      onChange={({ currentTarget }) => onChange({ legalName: currentTarget.value })}
    />
    <Field
      {...props("idn")}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ idn: currentTarget.value.replace(/\D/g, "").slice(0, 12) })}
    />
  </Card>
)

const Contact = ({ props, onChange }: PartProps) => {
  const { settings } = useWords().texts
  return (
    <Card title={settings.contact} text={settings.contactText}>
      <PhoneField {...props("phone")} onType={(phone) => onChange({ phone })} />
      <PhoneField {...props("whatsapp")} onType={(whatsapp) => onChange({ whatsapp })} />
      <Field
        {...props("email")}
        type="email"
        autoComplete="off"
        maxLength={254}
        onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
      />
      <Field
        {...props("web")}
        inputMode="url"
        autoComplete="off"
        placeholder="https://shop.kz"
        onChange={({ currentTarget }) => onChange({ web: currentTarget.value })}
      />
      <Field
        {...props("address")}
        autoComplete="off"
        maxLength={200}
        onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
      />
    </Card>
  )
}

interface LookProps extends PartProps {
  readonly draft: Draft
  /** What is wrong with the logo. */
  readonly wrong: string | null
}

const swatch = "#00737f"

const Look = ({ draft, props, wrong, onChange }: LookProps) => {
  const { settings } = useWords().texts
  const isColour = /^#[\da-f]{6}$/i.test(draft.colour)
  return (
    <Card title={settings.look} text={settings.lookText}>
      <div className={styles["look"]}>
        <div className={styles["fields"]}>
          <LogoField logo={draft.logo} wrong={wrong} onChange={(logo) => onChange({ logo })} />
          <div className={styles["colour"]}>
            <input
              type="color"
              aria-label={settings.labels.colour}
              value={isColour ? draft.colour.toLowerCase() : swatch}
              onChange={({ currentTarget }) => onChange({ colour: currentTarget.value })}
            />
            <Field
              {...props("colour")}
              autoComplete="off"
              spellCheck={false}
              maxLength={7}
              onChange={({ currentTarget }) => onChange({ colour: currentTarget.value.trim() })}
            />
            {draft.colour !== "" && (
              <Button look="plain" isSmall onClick={() => onChange({ colour: "" })}>
                {settings.ownColour}
              </Button>
            )}
          </div>
        </div>
        <Preview draft={draft} />
      </div>
    </Card>
  )
}

const Checkout = ({ props, onChange }: PartProps) => (
  <Card title={useWords().texts.settings.checkout}>
    <AreaField
      {...props("sites")}
      rows={3}
      spellCheck={false}
      placeholder="https://shop.kz"
      onChange={({ currentTarget }) => onChange({ sites: currentTarget.value })}
    />
    <Field
      {...props("returnUrl")}
      inputMode="url"
      autoComplete="off"
      placeholder="https://shop.kz/thanks"
      onChange={({ currentTarget }) => onChange({ returnUrl: currentTarget.value })}
    />
  </Card>
)
