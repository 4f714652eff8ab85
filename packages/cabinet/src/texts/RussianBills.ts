/** The words of the tariff in Russian. */
import type { BillsTexts } from "./BillsTexts.ts"

/** The texts of the tariff in Russian. */
export const russianBills: BillsTexts = {
  title: "Тариф и счета",
  catalogue: "Тарифы",
  perMonth: (amount) => `${amount} в месяц`,
  limits: (month, day) => `До ${month} боевых счетов в месяц, ${day} в день`,
  opensClients: "Для партнёров: можно открывать клиентов и вести их",
  current: "Ваш сейчас",
  notForSale: "Не продаётся",
  buy: "Купить месяц",
  prolong: "Продлить на месяц",
  noSeller: "Здесь тарифы не продаются. За другим тарифом обратитесь к тем, кто ведёт этот сервис.",
  ownerBuys: "Тарифы покупает владелец организации.",
  unavailable: "Сейчас купить нельзя. Попробуйте позже или обратитесь к тем, кто ведёт этот сервис.",
  payTitle: (tariff, amount) => `${tariff}: ${amount}`,
  payText: "Отсканируйте код в приложении банка или откройте страницу оплаты. Месяц начнётся, когда счёт оплачен.",
  payPage: "Открыть страницу оплаты",
  waiting: "Ожидает оплаты",
  paid: "Оплачено. Тариф начнёт действовать через мгновение.",
  started: (tariff) => `Тариф ${tariff} действует.`,
  ended: "По этому коду больше нельзя оплатить.",
  again: "Создать новый код",
  done: "Готово",
  bills: "Счета",
  none: "Счетов пока нет",
  noneText: "Здесь появится каждый заказанный тариф.",
  applied: (day) => `Действует с ${day}`,
  receipt: "Чек",
  payNow: "Оплатить",
  older: "Показать более ранние"
}
