/** The way to a new subscription. */
import { Plus } from "lucide-react"
import { useState } from "react"
import { Button } from "../../parts/Button.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useSubscriptionsTexts } from "./Texts.ts"

/** The dialog, loaded when it is opened. */
export const LoadedDialog = loadedPart(() =>
  import("./SubscriptionDialog.tsx").then(({ SubscriptionDialog }) => SubscriptionDialog)
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
      {isOpen && <LoadedDialog subscription={null} onClose={() => setOpen(false)} />}
    </>
  )
}
