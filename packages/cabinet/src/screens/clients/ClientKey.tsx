/** Makes a key of a client, and shows it this once. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { useGiven } from "../../app/Places.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { KeyShown } from "./KeyShown.tsx"
import { useClientsTexts } from "./Texts.ts"

interface ClientKeyProps {
  readonly clientId: string
  readonly onClose: () => void
}

/** The dialog: a form, then the key. */
export const ClientKey = ({ clientId, onClose }: ClientKeyProps) => {
  const words = useClientsTexts()
  const { params, query } = useGiven()
  const [name, setName] = useState("")
  const [isWrong, setWrong] = useState(false)
  const creation = useMutation({
    mutationFn: (wanted: string) => {
      const given = { params: { ...params, id: clientId }, query, body: { name: wanted } }
      return askFresh("POST /panel/orgs/:organizationId/clients/:id/api-keys", given)
    }
  })
  if (creation.data !== undefined) {
    const { apiKey } = creation.data
    return <KeyShown title={words.keyReady} text={words.keyReadyText} apiKey={apiKey} onClose={onClose} />
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (creation.isPending) return
    const wanted = name.trim()
    setWrong(wanted === "")
    if (wanted === "") event.currentTarget.querySelector("input")?.focus()
    else creation.mutate(wanted)
  }
  return (
    <Dialog title={words.newKey} text={words.keyText} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={words.keyName}
          maxLength={100}
          autoComplete="off"
          value={name}
          wrong={isWrong ? words.nameWrong : null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          autoFocus
        />
        {creation.error !== null && <Refused failure={creation.error} />}
        <Button type="submit" isBusy={creation.isPending}>
          {words.newKey}
        </Button>
      </form>
    </Dialog>
  )
}
