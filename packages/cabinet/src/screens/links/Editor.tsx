/** Makes a payment link or changes one. Beside the form stands the page as customers will see it. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { codeOf, Refused, useExplanation } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { LinkEditorField } from "../../texts/LinksTexts.ts"
import { EditorFields } from "./EditorFields.tsx"
import { linkCalls, type ShownLink } from "./Link.ts"
import { creationOf, faultIn, fieldOfCode, linkChangesOf, type TypedLink, typedOf } from "./LinkDraft.ts"
import styles from "./Links.module.css"
import { PagePreview } from "./PagePreview.tsx"
import { useLinksTexts } from "./Texts.ts"

interface EditorProps {
  /** Null: a new one. */
  readonly link: ShownLink | null
  readonly onClose: () => void
}

/** Sends what was typed. A new link is shown afterwards. */
const useSaving = (link: ShownLink | null, before: TypedLink, onClose: () => void) => {
  const words = useLinksTexts()
  const { params, query } = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (typed: TypedLink) =>
      link === null
        ? ask("POST /panel/orgs/:organizationId/payment-links", { params, query, body: creationOf(typed) })
        : ask("PATCH /panel/orgs/:organizationId/payment-links/:id", {
            params: { ...params, id: link.id },
            query,
            body: linkChangesOf(before, typed)
          }),
    onSuccess: async ({ id }) => {
      notify({ title: link === null ? words.made : words.saved, tone: "good" })
      onClose()
      if (link !== null) return
      await navigate({ to: "/$organizationId/links/$linkId", params: { ...params, linkId: id }, search: modeAlone })
    },
    onSettled: () => forget(linkCalls)
  })
}

/** The dialog. */
export const Editor = ({ link, onClose }: EditorProps) => {
  const words = useLinksTexts()
  const { texts } = useWords()
  const explain = useExplanation()
  const [before] = useState(() => typedOf(link))
  const [typed, setTyped] = useState(before)
  const [fault, setFault] = useState<"title" | "amount" | null>(null)
  const saving = useSaving(link, before, onClose)
  const refused = saving.error === null ? undefined : fieldOfCode(codeOf(saving.error))
  const wrongOf = (field: LinkEditorField): string | null => {
    if (fault === field) return words.wrong[fault]
    return refused === field ? explain(saving.error).title : null
  }
  const change = (part: Partial<TypedLink>) => {
    setTyped((earlier) => ({ ...earlier, ...part }))
    setFault(null)
    if (saving.error !== null) saving.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving.isPending) return
    const found = faultIn(typed)
    setFault(found)
    if (found === null) saving.mutate(typed)
    else event.currentTarget.querySelector<HTMLInputElement>(`[name="${found}"]`)?.focus()
  }
  return (
    <Dialog title={link === null ? words.create : words.change} text={words.editorText} onClose={onClose} isWide>
      <div className={styles["editor"]}>
        <form onSubmit={submit} noValidate>
          <EditorFields typed={typed} wrongOf={wrongOf} onChange={change} />
          {saving.error !== null && refused === undefined && <Refused failure={saving.error} />}
          <Button type="submit" isBusy={saving.isPending}>
            {link === null ? words.create : texts.common.save}
          </Button>
        </form>
        <PagePreview typed={typed} />
      </div>
    </Dialog>
  )
}
