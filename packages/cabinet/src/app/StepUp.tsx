/** Asks for a fresh code over the screen, whenever a call takes one. */
import { lazy, Suspense, useSyncExternalStore } from "react"
import { awaitsCode, onConfirmation } from "../api/Confirmation.ts"

const StepUpDialog = lazy(() => import("./StepUpDialog.tsx").then(({ StepUpDialog }) => ({ default: StepUpDialog })))

/** The dialog, while it is needed. */
export const StepUp = () => {
  const isNeeded = useSyncExternalStore(onConfirmation, awaitsCode)
  return isNeeded ? (
    <Suspense fallback={null}>
      <StepUpDialog />
    </Suspense>
  ) : null
}
