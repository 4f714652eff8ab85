/** What is told through a channel: the form, and whether it arrives. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { amountText } from "../../parts/AmountText.ts"
import { Button } from "../../parts/Button.tsx"
import { CheckField, SelectField } from "../../parts/Choice.tsx"
import { Field } from "../../parts/Field.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused, useExplanation } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { useWords } from "../../parts/Words.tsx"
import type { NoticeKindName } from "../../texts/NotificationsTexts.ts"
import { languageNames, languages } from "../../texts/Translation.ts"
import { Arrival } from "./Arrival.tsx"
import { isSame, tellsPayments, toggled, type WishDraft, wishDraftOf, wishFaultOf, wishOf } from "./Draft.ts"
import { type NoticeChannel, type NoticeLine, useNoticesReading } from "./Notices.ts"
import styles from "./Notifications.module.css"
import { Quiet } from "./Quiet.tsx"
import { useNotificationsTexts } from "./Texts.ts"

interface WishesProps {
  readonly channel: NoticeChannel
  readonly line: NoticeLine | null
  /** What the person may be told of. */
  readonly kinds: ReadonlyArray<NoticeKindName>
}

const useSaving = (channel: NoticeChannel, onDone: () => void) => {
  const words = useNotificationsTexts()
  const { params, query } = useGiven()
  const { queryKey } = useNoticesReading()
  const queries = useQueryClient()
  const notify = useNotify()
  return useMutation({
    mutationFn: async (draft: WishDraft) => {
      const given = { params: { ...params, id: channel }, query, body: wishOf(draft) }
      const facts = await ask("PUT /panel/orgs/:organizationId/notices/:id", given)
      // A reading that began before would tell of what was chosen before.
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, facts)
      notify({ title: facts[channel] === null ? words.savedNone : words.saved, tone: "good" })
    },
    onSuccess: onDone
  })
}

/** The form. */
export const Wishes = ({ channel, line, kinds }: WishesProps) => {
  const words = useNotificationsTexts()
  const { language } = useWords()
  const base = wishDraftOf(line, kinds, language)
  // Null: nothing is typed that is not kept.
  const [typed, setTyped] = useState<WishDraft | null>(null)
  const [wrong, setWrong] = useState<ReturnType<typeof wishFaultOf>>(null)
  const save = useSaving(channel, () => setTyped(null))
  const draft = typed ?? base
  const isChanged = !isSame(draft, base)
  const become = (next: WishDraft | null) => {
    setTyped(next)
    setWrong(null)
    if (save.error !== null) save.reset()
  }
  const change = (changes: Partial<WishDraft>) => become({ ...draft, ...changes })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending || !isChanged) return
    const fault = wishFaultOf(draft)
    setWrong(fault)
    if (fault === null) save.mutate(draft)
    else event.currentTarget.querySelector<HTMLElement>(`[name=${fault}]`)?.focus()
  }
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <Choices draft={draft} kinds={kinds} wrong={wrong} onChange={change} />
      {save.error !== null && <Refused failure={save.error} />}
      {(line !== null || !isChanged) && <Arrival line={line} />}
      <div className={rows["actions"]}>
        <Button type="submit" isSmall isBusy={save.isPending} aria-disabled={!isChanged}>
          {words.save}
        </Button>
        {isChanged && (
          <Button look="plain" isSmall onClick={() => become(null)}>
            {words.discard}
          </Button>
        )}
        {line !== null && !isChanged && <Test channel={channel} />}
      </div>
    </form>
  )
}

interface ChoicesProps extends Pick<WishesProps, "kinds"> {
  readonly draft: WishDraft
  readonly wrong: ReturnType<typeof wishFaultOf>
  readonly onChange: (changes: Partial<WishDraft>) => void
}

const Choices = ({ draft, kinds, wrong, onChange }: ChoicesProps) => {
  const words = useNotificationsTexts()
  return (
    <>
      <fieldset className={rows["choices"]}>
        <legend>{words.kinds}</legend>
        <div className={styles["kinds"]}>
          {kinds.map((kind) => (
            <CheckField
              key={kind}
              label={words.kind[kind].name}
              hint={words.kind[kind].hint}
              checked={draft.kinds.includes(kind)}
              onChange={({ currentTarget }) =>
                onChange({ kinds: toggled(kinds, draft.kinds, kind, currentTarget.checked) })
              }
            />
          ))}
        </div>
      </fieldset>
      {draft.kinds.length > 0 && (
        <>
          <div className={styles["pair"]}>
            {tellsPayments(draft) && (
              <Field
                name="minimum"
                label={words.minimum}
                hint={words.minimumHint}
                wrong={wrong === "minimum" ? words.minimumWrong : null}
                before="₸"
                inputMode="decimal"
                autoComplete="off"
                value={draft.minimum}
                onChange={({ currentTarget }) => onChange({ minimum: amountText(currentTarget.value) })}
              />
            )}
            <SelectField
              label={words.language}
              value={draft.language}
              onChange={({ currentTarget }) =>
                onChange({ language: languages.find((each) => each === currentTarget.value) ?? draft.language })
              }
            >
              {languages.map((each) => (
                <option key={each} value={each} lang={each}>
                  {languageNames[each]}
                </option>
              ))}
            </SelectField>
          </div>
          <Quiet draft={draft} wrong={wrong} onChange={onChange} />
        </>
      )}
    </>
  )
}

/** Has a message sent that says nothing but that it arrives. */
const Test = ({ channel }: Pick<WishesProps, "channel">) => {
  const words = useNotificationsTexts()
  const { params, query } = useGiven()
  const { queryKey } = useNoticesReading()
  const queries = useQueryClient()
  const notify = useNotify()
  const explain = useExplanation()
  const test = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/notices/:id/test", { params: { ...params, id: channel }, query }),
    onSuccess: () => notify({ title: words.tested, text: words.testedText, tone: "good" }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey })
  })
  return (
    <Button look="second" isSmall isBusy={test.isPending} onClick={() => test.mutate()}>
      {words.test}
    </Button>
  )
}
