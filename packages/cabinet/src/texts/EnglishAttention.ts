/** The words of what needs attention in English. */
import type { AttentionTexts } from "./AttentionTexts.ts"

/** The texts of what needs attention in English. */
export const englishAttention: AttentionTexts = {
  title: "Needs attention",
  severities: { error: "Does not work", warning: "To be looked at" },
  kinds: {
    cashier_session_lost: "A cashier's session is lost",
    tariff_ended: "The tariff has ended",
    quota_used_up: "The tariff's payments are used up",
    refund_unknown: "It is not known whether a refund went through",
    subscription_stuck: "A subscription cannot charge",
    endpoint_paused: "A webhook rests after failures",
    delivery_given_up: "Messages did not arrive",
    late_money: "Money came after its invoice had ended",
    quota_low: "The tariff's payments are nearly used up"
  },
  advice: {
    cashier_session_lost: "No payment comes in through them until you log them in again.",
    tariff_ended: "No live payment can be made until it is prolonged.",
    quota_used_up: "New live payments are refused until the period is over or the tariff is a larger one.",
    refund_unknown: "Do not give it back again: look into the bank's application first.",
    subscription_stuck: "It is tried again by itself. Remove what keeps it.",
    endpoint_paused: "Your server has answered with errors. Mend it: we try again by ourselves, and nothing is lost.",
    delivery_given_up: "Your server took none of the attempts. Mend it, then send them again.",
    late_money: "Deliver what was paid for, or give the money back.",
    quota_low: "Take a larger tariff before payments are refused."
  },
  until: (when) => `until ${when}`,
  periods: { month: "This month", day: "Today" },
  others: (count) => `and ${count} more`
}
