/** A link to the tariff: to its screen, or to its card on the overview if the person may not see bills. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useMay } from "./Permissions.ts"
import { useGiven } from "./Places.ts"
import { modeAlone } from "./Sections.tsx"

interface TariffLinkProps {
  readonly className?: string
  readonly children: ReactNode
}

/** The link. */
export const TariffLink = ({ className = "", children }: TariffLinkProps) => {
  const { params } = useGiven()
  const seesBills = useMay()("bills:read") !== null
  return (
    <Link
      className={className}
      to={seesBills ? "/$organizationId/tariff" : "/$organizationId"}
      params={params}
      search={modeAlone}
      {...(!seesBills && { hash: "tariff" })}
    >
      {children}
    </Link>
  )
}
