/** Makes a form hook or changes one. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { AreaField, Field } from "../../parts/Field.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { codeOf, Refused, useExplanation } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import { formHookCalls, type ShownFormHook } from "./FormHook.ts"
import { useFormsTexts } from "./Texts.ts"

const textFields = ["name", "sites", "honeypot", "successUrl", "failUrl"] as const

type Typed = Readonly<Record<(typeof textFields)[number], string>>

const typedIn = (hook: ShownFormHook | null): Typed => ({
  name: hook?.name ?? "",
  sites: hook?.allowedOrigins.join("\n") ?? "",
  honeypot: hook === null ? "website" : (hook.honeypot ?? ""),
  successUrl: hook?.successUrl ?? "",
  failUrl: hook?.failUrl ?? ""
})

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** A site as it is named: what stands behind its name does not count. */
const siteOf = (line: string): string => URL.parse(line)?.origin ?? line

const bodyOf = ({ name, sites, honeypot, successUrl, failUrl }: Typed) => ({
  name: name.trim(),
  allowedOrigins: sites
    .split(/\s+/)
    .filter((line) => line !== "")
    .map(siteOf),
  honeypot: orNull(honeypot),
  successUrl: orNull(successUrl),
  failUrl: orNull(failUrl)
})

const refusedFields: Readonly<Record<string, keyof Typed>> = {
  invalid_name: "name",
  invalid_allowed_origins: "sites",
  invalid_honeypot: "honeypot",
  invalid_url: "successUrl"
}

interface DialogProps {
  /** Null: a new one. */
  readonly hook: ShownFormHook | null
  readonly onClose: () => void
}

/** Sends what was typed; of a change what differs and nothing else. A new one is shown afterwards. */
const useSaving = ({ hook, onClose }: DialogProps) => {
  const words = useFormsTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (typed: Typed) => {
      const body = bodyOf(typed)
      if (hook === null) return ask("POST /panel/orgs/:organizationId/form-hooks", { params, query, body })
      const old: Readonly<Record<string, unknown>> = bodyOf(typedIn(hook))
      const changed = Object.entries(body).filter(
        ([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value)
      )
      return ask("PATCH /panel/orgs/:organizationId/form-hooks/:id", {
        params: { ...params, id: hook.id },
        query,
        body: Object.fromEntries(changed)
      })
    },
    onSuccess: async ({ id }) => {
      notify({ title: hook === null ? words.made : words.saved, tone: "good" })
      onClose()
      if (hook !== null) return
      await navigate({ to: "/$organizationId/forms/$hookId", params: { ...params, hookId: id }, search: modeAlone })
    },
    onSettled: () => forget(formHookCalls)
  })
}

/** The dialog. */
export const FormHookDialog = (props: DialogProps) => {
  const { hook, onClose } = props
  const words = useFormsTexts()
  const { texts } = useWords()
  const explain = useExplanation()
  const [typed, setTyped] = useState(() => typedIn(hook))
  const [isNameless, setNameless] = useState(false)
  const saving = useSaving(props)
  const refused = saving.error === null ? undefined : refusedFields[codeOf(saving.error)]
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving.isPending) return
    const isBlank = typed.name.trim() === ""
    setNameless(isBlank)
    if (isBlank) event.currentTarget.querySelector("input")?.focus()
    else saving.mutate(typed)
  }
  const field = (name: keyof Typed, hint: string | null) => ({
    label: words[name],
    hint,
    autoComplete: "off",
    value: typed[name],
    wrong: name === "name" && isNameless ? words.nameWrong : refused === name ? explain(saving.error).title : null,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped((before) => ({ ...before, [name]: currentTarget.value }))
      setNameless(false)
      if (saving.error !== null) saving.reset()
    }
  })
  return (
    <Dialog title={hook === null ? words.create : words.change} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field {...field("name", null)} maxLength={100} autoFocus />
        <AreaField {...field("sites", words.sitesHint)} rows={2} spellCheck={false} />
        <Field {...field("honeypot", words.honeypotHint)} maxLength={60} spellCheck={false} />
        <Field {...field("successUrl", words.urlHint)} type="url" inputMode="url" maxLength={2000} />
        <Field {...field("failUrl", words.urlHint)} type="url" inputMode="url" maxLength={2000} />
        {saving.error !== null && refused === undefined && <Refused failure={saving.error} />}
        <Button type="submit" isBusy={saving.isPending}>
          {hook === null ? words.create : texts.common.save}
        </Button>
      </form>
    </Dialog>
  )
}
