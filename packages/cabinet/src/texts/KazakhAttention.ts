/** The words of what needs attention in Kazakh. */
import type { AttentionTexts } from "./AttentionTexts.ts"

/** The texts of what needs attention in Kazakh. */
export const kazakhAttention: AttentionTexts = {
  title: "Назар аударыңыз",
  severities: { error: "Жұмыс істемейді", warning: "Қарап шыққан жөн" },
  kinds: {
    cashier_session_lost: "Кассирдің сессиясы үзілді",
    tariff_ended: "Тариф аяқталды",
    quota_used_up: "Тарифтің төлемдері таусылды",
    refund_unknown: "Қайтарымның өткен-өтпегені белгісіз",
    subscription_stuck: "Жазылым төлем ала алмай тұр",
    endpoint_paused: "Вебхук қателерден кейін тынығуда",
    delivery_given_up: "Хабарламалар жетпеді",
    late_money: "Ақша шот жабылғаннан кейін келді",
    quota_low: "Тарифтің төлемдері таусылуға жақын"
  },
  advice: {
    cashier_session_lost: "Қайта кіргенше ол арқылы төлем келмейді.",
    tariff_ended: "Тариф ұзартылғанша нақты төлем жасалмайды.",
    quota_used_up: "Кезең аяқталғанша немесе тариф үлкейгенше жаңа нақты төлемдер қабылданбайды.",
    refund_unknown: "Қайта қайтармаңыз: алдымен банк қосымшасын тексеріңіз.",
    subscription_stuck: "Біз өзіміз қайталаймыз. Себебін жойыңыз.",
    endpoint_paused: "Серверіңіз қатемен жауап берді. Түзетіңіз: біз өзіміз қайталаймыз, ештеңе жоғалмайды.",
    delivery_given_up: "Серверіңіз бірде-бір әрекетті қабылдамады. Түзетіп, қайта жіберіңіз.",
    late_money: "Төленгенін беріңіз немесе ақшаны қайтарыңыз.",
    quota_low: "Төлемдер тоқтамай тұрып, үлкенірек тариф алыңыз."
  },
  until: (when) => `${when} дейін`,
  periods: { month: "Осы айда", day: "Бүгін" },
  others: (count) => `тағы ${count}`
}
