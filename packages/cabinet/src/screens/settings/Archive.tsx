/** The end of an organization: its name is typed before. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { ask, refreshSession } from "../../api/Session.ts"
import { useHere } from "../../app/Organization.ts"
import { useGiven } from "../../app/Places.ts"
import { prefer } from "../../browser/Preferences.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { useWords } from "../../parts/Words.tsx"

const NameConfirm = loadedPart(() => import("../../parts/NameConfirm.tsx").then(({ NameConfirm }) => NameConfirm))

/** The part of the screen, for those who may. */
export const Archive = () => {
  const { settings } = useWords().texts
  const { name } = useHere()
  const given = useGiven()
  const navigate = useNavigate()
  const notify = useNotify()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const archival = useMutation({
    mutationFn: async () => {
      await ask("POST /panel/orgs/:organizationId/archive", given)
      prefer({ organization: undefined })
      await refreshSession()
    },
    onSuccess: () => {
      notify({ title: settings.archived })
      queries.clear()
      void navigate({ to: "/", replace: true })
    }
  })
  return (
    <Card title={settings.archive} text={settings.archiveText}>
      <div>
        <Button look="bad" isSmall onClick={() => setAsked(true)}>
          {settings.archive}
        </Button>
      </div>
      {isAsked && (
        <NameConfirm
          title={settings.archive}
          text={settings.archiveText}
          name={name}
          action={settings.archive}
          isBusy={archival.isPending}
          failure={archival.error}
          onConfirm={() => archival.mutate()}
          onClose={() => setAsked(false)}
        />
      )}
    </Card>
  )
}
