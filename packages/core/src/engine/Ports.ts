/** What an engine stands on: the storage and the platform. */

import type { Digest, Mac, SecureRandom } from "effect/crypto"
import type { RateStore } from "../access/RateStore.ts"
import type { AttentionStore } from "../attention/AttentionStore.ts"
import type { ChangeStore } from "../attention/ChangeStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { BillStore } from "../billing/BillStore.ts"
import type { StatementLetterStore } from "../cabinet/letter/StatementLetterStore.ts"
import type { ReportStore } from "../cabinet/ReportStore.ts"
import type { RefundListStore } from "../cabinet/refund/RefundListStore.ts"
import type { MovementStore } from "../cabinet/statement/MovementStore.ts"
import type { ConnectionStore } from "../connection/ConnectionStore.ts"
import type { ProfileStore } from "../face/ProfileStore.ts"
import type { FeedStore } from "../feed/FeedStore.ts"
import type { ReactionStore } from "../feed/ReactionStore.ts"
import type { FormHookStore } from "../formhook/FormHookStore.ts"
import type { FormRefusalStore } from "../formhook/FormRefusalStore.ts"
import type { InvitationStore } from "../invitation/InvitationStore.ts"
import type { InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { LoginStore } from "../login/LoginStore.ts"
import type { MailStore } from "../mail/MailStore.ts"
import type { BacklogStore } from "../measure/BacklogStore.ts"
import type { DirectoryStore } from "../merchant/DirectoryStore.ts"
import type { MerchantStore } from "../merchant/MerchantStore.ts"
import type { MessengerLinkStore } from "../messenger/MessengerLinkStore.ts"
import type { NoticeStore } from "../notice/NoticeStore.ts"
import type * as ConsoleParts from "../operator/ConsoleParts.ts"
import type { PartnerStore } from "../partner/PartnerStore.ts"
import type { PaymentLinkStore } from "../paymentlink/PaymentLinkStore.ts"
import type { PictureStore } from "../picture/PictureStore.ts"
import type { ServerStore } from "../platform/ServerStore.ts"
import type { WorkStore } from "../platform/WorkStore.ts"
import type { ReconciliationStore } from "../reconciliation/ReconciliationStore.ts"
import type { RequestLogStore } from "../requestlog/RequestLogStore.ts"
import type { SubscriptionStore } from "../subscription/SubscriptionStore.ts"
import type { PayoutStore } from "../tariff/PayoutStore.ts"
import type { TariffStore } from "../tariff/TariffStore.ts"
import type { ClockStore } from "../time/ClockStore.ts"
import type { WebhookStore } from "../webhook/WebhookStore.ts"
import type { OpenTransaction } from "../work/OpenTransaction.ts"
import type { Integrity } from "./Integrity.ts"
import type { SandboxStore } from "./SandboxStore.ts"
import type { SealedTexts } from "./SealedTexts.ts"

/** Everything that a storage adapter provides. */
export type Stores =
  | InvoiceStore
  | ReportStore
  | MovementStore
  | RefundListStore
  | StatementLetterStore
  | NoticeStore
  | MessengerLinkStore
  | AttentionStore
  | ChangeStore
  | SubscriptionStore
  | ConnectionStore
  | WebhookStore
  | FeedStore
  | ReactionStore
  | PaymentLinkStore
  | FormHookStore
  | FormRefusalStore
  | MerchantStore
  | ProfileStore
  | PictureStore
  | DirectoryStore
  | InvitationStore
  | ConsoleParts.ConsoleStores
  | TariffStore
  | BillStore
  | PayoutStore
  | PartnerStore
  | ReconciliationStore
  | AuditStore
  | ClockStore
  | SandboxStore
  | MailStore
  | LoginStore
  | RateStore
  | RequestLogStore
  | BacklogStore
  | ServerStore
  | WorkStore
  | Integrity
  | SealedTexts
  | OpenTransaction

/** Everything that the platform provides. */
export type Platform = Digest.Digest | Mac.Mac | SecureRandom.SecureRandom
