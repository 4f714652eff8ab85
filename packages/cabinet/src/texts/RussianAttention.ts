/** The words of what needs attention in Russian. */
import type { AttentionTexts } from "./AttentionTexts.ts"

/** The texts of what needs attention in Russian. */
export const russianAttention: AttentionTexts = {
  title: "Требует внимания",
  severities: { error: "Не работает", warning: "Стоит посмотреть" },
  kinds: {
    cashier_session_lost: "Кассир потерял сессию",
    tariff_ended: "Тариф закончился",
    quota_used_up: "Платежи тарифа израсходованы",
    refund_unknown: "Неизвестно, прошёл ли возврат",
    subscription_stuck: "Подписка не может списать платёж",
    endpoint_paused: "Вебхук отдыхает после сбоев",
    delivery_given_up: "Сообщения не дошли",
    late_money: "Деньги пришли после закрытия счёта",
    quota_low: "Платежи тарифа почти израсходованы"
  },
  advice: {
    cashier_session_lost: "Пока вы не войдёте за него снова, платежи через него не приходят.",
    tariff_ended: "Пока тариф не продлён, боевые платежи не создаются.",
    quota_used_up: "Новые боевые платежи отклоняются, пока не кончится период или не подключён тариф больше.",
    refund_unknown: "Не возвращайте ещё раз: сначала проверьте в приложении банка.",
    subscription_stuck: "Мы пробуем снова сами. Устраните причину.",
    endpoint_paused: "Ваш сервер отвечал ошибками. Исправьте его: мы попробуем снова сами, и ничего не пропадёт.",
    delivery_given_up: "Ваш сервер не принял ни одной попытки. Исправьте и отправьте ещё раз.",
    late_money: "Отдайте оплаченное или верните деньги.",
    quota_low: "Возьмите тариф больше, пока платежи не начали отклоняться."
  },
  until: (when) => `до ${when}`,
  periods: { month: "В этом месяце", day: "Сегодня" },
  others: (count) => `и ещё ${count}`
}
