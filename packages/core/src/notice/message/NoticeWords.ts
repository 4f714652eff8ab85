/** The words of messages to members, in their three languages. */
import type { TroubleKind } from "../Gathered.ts"
import type { NoticeLanguage } from "../NoticeKinds.ts"

interface Words {
  readonly paid: string
  readonly late: string
  readonly payments: (count: number) => string
  readonly more: (count: number) => string
  readonly test: string
  readonly doubt: (payments: number, sum: string, troubles: number) => string
  readonly sandbox: string
  readonly open: string
  readonly stop: string
  readonly troubles: Readonly<Record<TroubleKind, string>>
}

const inRussian = (count: number, one: string, few: string, many: string): string => {
  const [tens, units] = [count % 100, count % 10]
  const isMany = units === 0 || units > 4 || (tens > 10 && tens < 15)
  return `${count} ${isMany ? many : units === 1 ? one : few}`
}

const inEnglish = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** By language. */
export const noticeWords: Readonly<Record<NoticeLanguage, Words>> = {
  kk: {
    paid: "Төленді",
    late: "Кешіккен ақша",
    payments: (count) => `${count} төлем`,
    more: (count) => `тағы ${count}`,
    test: "Бұл сынақ хабары. Хабарландырулар осында келеді.",
    doubt: (payments, sum, troubles) =>
      `Алдыңғы хабар жетпеген болуы мүмкін: ${payments} төлем, ${sum}; ақаулар: ${troubles}`,
    sandbox: "сынақ режимі",
    open: "Кабинетті ашу",
    stop: "Не туралы хабарлау керегін кабинеттің «Хабарландырулар» бетінде өзгертуге болады.",
    troubles: {
      cashier_session_lost: "Кассир жүйеден шығып қалды",
      tariff_ended: "Тариф мерзімі бітті",
      quota_used_up: "Шоттар лимиті таусылды",
      quota_low: "Шоттар лимитінің бестен төрті жұмсалды",
      refund_unknown: "Қайтарудың нәтижесі белгісіз",
      subscription_stuck: "Жазылым бойынша шот шығарылмай тұр",
      endpoint_paused: "Вебхук мекенжайы жауап бермейді, кідіртілді",
      delivery_given_up: "Вебхук жеткізілмеді",
      reconciliation_difference: "Салыстыруда айырма бар, күні"
    }
  },
  ru: {
    paid: "Оплачено",
    late: "Поздние деньги",
    payments: (count) => inRussian(count, "платёж", "платежа", "платежей"),
    more: (count) => `ещё ${count}`,
    test: "Это пробное сообщение. Уведомления приходят сюда.",
    doubt: (payments, sum, troubles) =>
      `Прошлое сообщение могло не дойти: ${inRussian(payments, "платёж", "платежа", "платежей")}, ${sum}; ` +
      `неполадок: ${troubles}`,
    sandbox: "песочница",
    open: "Открыть кабинет",
    stop: "Изменить, о чём сообщать, можно в кабинете на экране «Уведомления».",
    troubles: {
      cashier_session_lost: "Кассир вышел из системы",
      tariff_ended: "Срок тарифа истёк",
      quota_used_up: "Лимит счетов исчерпан",
      quota_low: "Израсходовано четыре пятых лимита счетов",
      refund_unknown: "Неизвестно, прошёл ли возврат",
      subscription_stuck: "Не выставляется счёт по подписке",
      endpoint_paused: "Адрес вебхуков не отвечает, отправка приостановлена",
      delivery_given_up: "Вебхук не доставлен",
      reconciliation_difference: "Расхождение в сверке, день"
    }
  },
  en: {
    paid: "Paid",
    late: "Late money",
    payments: (count) => inEnglish(count, "payment"),
    more: (count) => `${count} more`,
    test: "This is a test. Notifications arrive here.",
    doubt: (payments, sum, troubles) =>
      `An earlier message may not have arrived: ${inEnglish(payments, "payment")}, ${sum}; ` +
      inEnglish(troubles, "trouble"),
    sandbox: "sandbox",
    open: "Open the cabinet",
    stop: "What you are told can be changed in the cabinet, on the screen “Notifications”.",
    troubles: {
      cashier_session_lost: "A cashier has lost the session",
      tariff_ended: "The tariff has ended",
      quota_used_up: "The quota of invoices is used up",
      quota_low: "Four fifths of the quota of invoices are used",
      refund_unknown: "It is unknown whether a refund went through",
      subscription_stuck: "A subscription makes no invoices",
      endpoint_paused: "A webhook address does not answer and is paused",
      delivery_given_up: "A webhook was not delivered",
      reconciliation_difference: "A difference in reconciliation, of the day"
    }
  }
}
