/** Saves the settings: what was changed and nothing else, so that two people at once do not undo each other's work. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Refusal } from "../../api/Call.ts"
import { ask, refreshSession } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { useNotify } from "../../parts/Notices.tsx"
import { useExplanation } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import { type Changes, carried, changesOf, type Draft, draftOf, type SellerFacts } from "./Draft.ts"

const call = "GET /panel/orgs/:organizationId/profile"

/** The reading of the profile. */
export const useProfileReading = () => reading(call, useGiven())

/**
 * The form over a profile. What another has saved meanwhile is taken in beneath what is typed here, and the person is
 * told to look again.
 */
export const useSettings = (first: SellerFacts) => {
  const given = useGiven()
  const { queryKey } = useProfileReading()
  const { texts } = useWords()
  const queries = useQueryClient()
  const forget = useForget()
  const notify = useNotify()
  const explain = useExplanation()
  const [profile, setProfile] = useState(first)
  const base = draftOf(profile)
  const [draft, setDraft] = useState<Draft>(base)

  const take = (next: SellerFacts, typed: Draft) => {
    queries.setQueryData(queryKey, next)
    setProfile(next)
    setDraft(typed)
  }
  const send = async (body: Changes) => {
    const saved = await ask("PATCH /panel/orgs/:organizationId/profile", { ...given, body })
    take(saved, draftOf(saved))
    // The name stands above every screen.
    if (body.name !== undefined) {
      await refreshSession()
      void forget("GET /panel/orgs/:organizationId")
    }
    return saved
  }
  const undo = useMutation({
    mutationFn: send,
    onSuccess: () => notify({ title: texts.team.saved }),
    onError: (failure) => notify({ title: explain(failure).title, tone: "bad" })
  })
  const save = useMutation({
    mutationFn: async () => {
      const changes = changesOf(base, draft)
      if (changes === null) return
      try {
        const saved = await send({ ...changes, version: profile.version })
        const back = changesOf(draftOf(saved), { ...base, logo: draftOf(saved).logo })
        // A logo that is gone is no longer here to be sent again.
        const isWhole = back !== null && changes.logo === undefined
        notify({
          title: texts.team.saved,
          tone: "good",
          ...(isWhole && { undo: () => undo.mutate({ ...back, version: saved.version }) })
        })
      } catch (failure) {
        if (failure instanceof Refusal && failure.code === "organization_changed") {
          const fresh = await ask(call, given)
          take(fresh, carried(base, draft, draftOf(fresh)))
        }
        throw failure
      }
    }
  })
  return {
    draft,
    change: (changes: Partial<Draft>) => {
      setDraft({ ...draft, ...changes })
      if (save.error !== null) save.reset()
    },
    discard: () => {
      setDraft(base)
      save.reset()
    },
    isChanged: changesOf(base, draft) !== null,
    save
  }
}
