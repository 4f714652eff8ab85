/** The sections of an organization, as far as they are for the person. */
import { Link, useLocation } from "@tanstack/react-router"
import {
  Banknote,
  Bell,
  Building2,
  CalendarSync,
  ClipboardPen,
  Ellipsis,
  FileSpreadsheet,
  History,
  KeyRound,
  LayoutDashboard,
  Link2,
  type LucideIcon,
  ReceiptText,
  Scale,
  ScrollText,
  Settings,
  SquareTerminal,
  Store,
  Undo2,
  UsersRound,
  Wallet,
  Webhook
} from "lucide-react"
import { useWords } from "../parts/Words.tsx"
import type { Texts } from "../texts/Texts.ts"
import styles from "./Frame.module.css"
import { useOrganization, usePlace } from "./Organization.ts"
import { type Permission, useMay } from "./Permissions.ts"

interface Section {
  readonly to:
    | "/$organizationId"
    | "/$organizationId/charge"
    | "/$organizationId/invoices"
    | "/$organizationId/bulk"
    | "/$organizationId/reports"
    | "/$organizationId/refunds"
    | "/$organizationId/cashiers"
    | "/$organizationId/team"
    | "/$organizationId/keys"
    | "/$organizationId/webhooks"
    | "/$organizationId/developers"
    | "/$organizationId/reconciliation"
    | "/$organizationId/clients"
    | "/$organizationId/tariff"
    | "/$organizationId/journal"
    | "/$organizationId/links"
    | "/$organizationId/forms"
    | "/$organizationId/subscriptions"
    | "/$organizationId/settings"
    | "/$organizationId/notifications"
  readonly name: (texts: Texts["shell"]) => string
  readonly Icon: LucideIcon
  readonly needs: Permission
  /** Whether it is for those only whose tariff opens clients. */
  readonly isOfPartners?: true
  /** Whether it has its place at the foot of a phone; all others are behind "more" there. */
  readonly isFirst: boolean
}

const sections: ReadonlyArray<Section> = [
  {
    to: "/$organizationId",
    name: ({ home }) => home,
    Icon: LayoutDashboard,
    needs: "organization:read",
    isFirst: true
  },
  {
    to: "/$organizationId/charge",
    name: ({ charge }) => charge,
    Icon: Banknote,
    needs: "invoices:create",
    isFirst: true
  },
  {
    to: "/$organizationId/invoices",
    name: ({ invoices }) => invoices,
    Icon: ReceiptText,
    needs: "invoices:read",
    isFirst: true
  },
  {
    to: "/$organizationId/bulk",
    name: ({ bulk }) => bulk,
    Icon: FileSpreadsheet,
    needs: "invoices:create",
    isFirst: false
  },
  { to: "/$organizationId/links", name: ({ links }) => links, Icon: Link2, needs: "links:read", isFirst: false },
  {
    to: "/$organizationId/subscriptions",
    name: ({ subscriptions }) => subscriptions,
    Icon: CalendarSync,
    needs: "subscriptions:read",
    isFirst: false
  },
  {
    to: "/$organizationId/reports",
    name: ({ reports }) => reports,
    Icon: ScrollText,
    needs: "reports:read",
    isFirst: false
  },
  {
    to: "/$organizationId/refunds",
    name: ({ refunds }) => refunds,
    Icon: Undo2,
    needs: "invoices:read",
    isFirst: false
  },
  {
    to: "/$organizationId/reconciliation",
    name: ({ reconciliation }) => reconciliation,
    Icon: Scale,
    needs: "reconciliation:read",
    isFirst: false
  },
  {
    to: "/$organizationId/cashiers",
    name: ({ cashiers }) => cashiers,
    Icon: Store,
    needs: "connections:read",
    isFirst: false
  },
  {
    to: "/$organizationId/clients",
    name: ({ clients }) => clients,
    Icon: Building2,
    needs: "clients:read",
    isOfPartners: true,
    isFirst: false
  },
  { to: "/$organizationId/team", name: ({ team }) => team, Icon: UsersRound, needs: "members:read", isFirst: false },
  { to: "/$organizationId/keys", name: ({ keys }) => keys, Icon: KeyRound, needs: "keys:read", isFirst: false },
  { to: "/$organizationId/forms", name: ({ forms }) => forms, Icon: ClipboardPen, needs: "links:read", isFirst: false },
  {
    to: "/$organizationId/webhooks",
    name: ({ webhooks }) => webhooks,
    Icon: Webhook,
    needs: "webhooks:read",
    isFirst: false
  },
  {
    to: "/$organizationId/developers",
    name: ({ developers }) => developers,
    Icon: SquareTerminal,
    needs: "requests:read",
    isFirst: false
  },
  { to: "/$organizationId/tariff", name: ({ tariff }) => tariff, Icon: Wallet, needs: "bills:read", isFirst: false },
  {
    to: "/$organizationId/journal",
    name: ({ journal }) => journal,
    Icon: History,
    needs: "journal:read",
    isFirst: false
  },
  {
    to: "/$organizationId/settings",
    name: ({ settings }) => settings,
    Icon: Settings,
    needs: "organization:change",
    isFirst: false
  },
  {
    to: "/$organizationId/notifications",
    name: ({ notifications }) => notifications,
    Icon: Bell,
    needs: "notices:choose",
    isFirst: false
  }
]

/** Those that are open to the person in the mode that is looked at. */
export const useSections = (): ReadonlyArray<Section> => {
  const may = useMay()
  const isPartner = useOrganization().data?.tariff.partner === true
  return sections.filter(({ needs, isOfPartners }) => may(needs) !== null && (isOfPartners !== true || isPartner))
}

/** Whether the address is of a section that is not for the person, so that nothing of it is asked for. */
export const useIsClosed = (): boolean => {
  const may = useMay()
  const { data } = useOrganization()
  const name = useLocation({ select: ({ pathname }) => pathname.split(`/${data?.id ?? ""}/`)[1]?.split("/")[0] })
  const section = sections.find(({ to }) => name !== undefined && to.endsWith(`/${name}`))
  return data !== undefined && section !== undefined && may(section.needs) === null
}

/** The way to each. */
export const Sections = () => {
  const { texts } = useWords()
  const open = useSections()
  const params = { organizationId: usePlace()?.organizationId ?? "" }
  return (
    <nav className={styles["sections"]} aria-label={texts.shell.menu}>
      {open.map(({ to, name, Icon, isFirst }) => (
        <Link
          key={to}
          to={to}
          params={params}
          search={modeAlone}
          className={styles["section"] ?? ""}
          data-rest={!isFirst || undefined}
          activeOptions={{ exact: to === "/$organizationId", includeSearch: false }}
        >
          <Icon size={20} aria-hidden />
          <span>{name(texts.shell)}</span>
        </Link>
      ))}
      {open.some(({ isFirst }) => !isFirst) && (
        <Link
          to="/$organizationId/more"
          params={params}
          search={modeAlone}
          className={styles["section"] ?? ""}
          data-more
          activeOptions={{ includeSearch: false }}
        >
          <Ellipsis size={20} aria-hidden />
          <span>{texts.shell.more}</span>
        </Link>
      )}
    </nav>
  )
}

/** Of an address only which mode is looked at, for ways to other screens. */
export const modeAlone = <M extends string>({ mode }: { mode?: M }): { mode?: M } =>
  mode === undefined ? {} : { mode }
