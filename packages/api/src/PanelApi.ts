/** The contract of the cabinet's own calls, under `/panel`. They are not part of `/api/v1`, and take no API keys. */
import { HttpApi, OpenApi } from "effect/http-api"
import { login } from "./LoginGroup.ts"
import { attention } from "./PanelAttentionGroup.ts"
import { billing } from "./PanelBillingGroup.ts"
import { bulk } from "./PanelBulkGroup.ts"
import { clients } from "./PanelClientsGroup.ts"
import { connections } from "./PanelConnectionsGroup.ts"
import { developers } from "./PanelDevelopersGroup.ts"
import { exports } from "./PanelExportsGroup.ts"
import { invitations, ownInvitations } from "./PanelInvitationsGroup.ts"
import { panelInvoices } from "./PanelInvoicesGroup.ts"
import { journal } from "./PanelJournalGroup.ts"
import { notices } from "./PanelNoticesGroup.ts"
import { operatorAccounts } from "./PanelOperatorAccountsGroup.ts"
import { operatorEarnings } from "./PanelOperatorEarningsGroup.ts"
import { operatorJournal } from "./PanelOperatorJournalGroup.ts"
import { operatorOrganizations } from "./PanelOperatorOrganizationsGroup.ts"
import { operatorPlatform } from "./PanelOperatorPlatformGroup.ts"
import { memberships, organizations } from "./PanelOrganizationsGroup.ts"
import { profiles } from "./PanelProfileGroup.ts"
import { reconciliations } from "./PanelReconciliationGroup.ts"
import { panelRefunds } from "./PanelRefundsGroup.ts"
import { reports } from "./PanelReportsGroup.ts"
import { PanelGuard } from "./PanelSecurity.ts"
import { panelSubscriptions } from "./PanelSubscriptionsGroup.ts"
import { panelHooks, panelLinks, panelWebhooks } from "./PanelWebhooksGroup.ts"
import { sessions } from "./SessionsGroup.ts"

/** The contract. Errors are those of `/api/v1`: clients branch on the member `error`. */
export const PanelApi = HttpApi.make("tolem-panel")
  .add(login, sessions, memberships, organizations, profiles, panelInvoices, reports, attention)
  .add(invitations, ownInvitations, developers, exports, reconciliations, clients, journal, bulk, panelRefunds)
  .add(connections, panelWebhooks, panelLinks, panelHooks, panelSubscriptions)
  .add(operatorAccounts, operatorOrganizations, operatorEarnings, operatorJournal, operatorPlatform, notices, billing)
  // Added last, and so around everything else.
  .middleware(PanelGuard)
  .prefix("/panel")
  .annotateMerge(OpenApi.annotations({ title: "Tölem cabinet", version: "1.0.0" }))
