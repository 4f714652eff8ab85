/** Puts an organization to work, or back into its sandbox. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { askFresh } from "../api/Confirmation.ts"
import { refreshSession } from "../api/Session.ts"
import { useNotify } from "../parts/Notices.tsx"
import { useWords } from "../parts/Words.tsx"
import type { Mode } from "./Organization.ts"
import { useForget, useGiven } from "./Places.ts"

/** The change; what is looked at follows it. */
export const useModeSwitch = (onDone: () => void = () => undefined) => {
  const { texts } = useWords()
  const given = useGiven()
  const forget = useForget()
  const notify = useNotify()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (mode: Mode) => {
      await askFresh("PATCH /panel/orgs/:organizationId/mode", { ...given, body: { mode } })
      await refreshSession()
      await forget("GET /panel/orgs/:organizationId")
    },
    onSuccess: (_, mode) => {
      notify({ title: mode === "live" ? texts.mode.isLive : texts.mode.isSandbox, tone: "good" })
      void navigate({ to: ".", search: { mode } })
      onDone()
    }
  })
}
