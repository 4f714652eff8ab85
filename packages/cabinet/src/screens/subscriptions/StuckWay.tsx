/** The way to remove what keeps a subscription from making its invoices. */
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useOrganization } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { TariffLink } from "../../app/TariffLink.tsx"
import { Button } from "../../parts/Button.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import { useWords } from "../../parts/Words.tsx"
import { reasonOf } from "./StuckReasons.ts"

const LiveDialog = loadedPart(() => import("../../app/LiveDialog.tsx").then(({ LiveDialog }) => LiveDialog))

interface StuckWayProps {
  readonly code: string
  readonly className?: string
}

/** The link, or the button; nothing if there is nowhere to go, or not for the person. */
export const StuckWay = ({ code, className = "" }: StuckWayProps) => {
  const { texts } = useWords()
  const { params } = useGiven()
  const may = useMay()
  switch (reasonOf(code)) {
    case "cashier":
    case "session":
      if (may("connections:read") === null) return null
      return (
        <Link className={className} to="/$organizationId/cashiers" params={params} search={modeAlone}>
          {texts.shell.cashiers}
        </Link>
      )
    case "quota":
      return <TariffLink className={className}>{texts.shell.tariff}</TariffLink>
    case "live":
      return may("mode:switch") === null ? null : <GoLive />
    default:
      return null
  }
}

const GoLive = () => {
  const { texts } = useWords()
  const { data } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  // It is tried again by itself: for a while it is told of one that has gone live since.
  if (data?.mode !== "sandbox") return null
  return (
    <>
      <Button look="second" isSmall onClick={() => setOpen(true)}>
        {texts.mode.toLive}
      </Button>
      {isOpen && <LiveDialog onClose={() => setOpen(false)} />}
    </>
  )
}
