/** The way to a new subscription. */
import { Plus } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { Button } from "../../parts/Button.tsx"
import { useSubscriptionsTexts } from "./Texts.ts"

/** The dialog, loaded when it is opened. */
export const LoadedDialog = lazy(() =>
  import("./SubscriptionDialog.tsx").then(({ SubscriptionDialog }) => ({ default: SubscriptionDialog }))
)

/** The button, and the dialog that it opens. */
export const NewSubscription = () => {
  const { create } = useSubscriptionsTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus size={20} aria-hidden />
        {create}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <LoadedDialog subscription={null} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
