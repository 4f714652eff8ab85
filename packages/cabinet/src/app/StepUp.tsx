/** Asks for a fresh code over the screen, whenever a call takes one. */
import { useSyncExternalStore } from "react"
import { awaitsCode, onConfirmation } from "../api/Confirmation.ts"
import { loadedPart } from "../parts/LoadedPart.tsx"

const StepUpDialog = loadedPart(() => import("./StepUpDialog.tsx").then(({ StepUpDialog }) => StepUpDialog))

/** The dialog, while it is needed. */
export const StepUp = () => {
  const isNeeded = useSyncExternalStore(onConfirmation, awaitsCode)
  return isNeeded ? <StepUpDialog /> : null
}
