/** The words of refunds in Russian. */
import type { RefundsTexts } from "./RefundsTexts.ts"

const times = (count: number): string => {
  const [last, two] = [count % 10, count % 100]
  return last >= 2 && last <= 4 && (two < 12 || two > 14) ? `${count} раза` : `${count} раз`
}

/** The texts of refunds in Russian. */
export const russianRefunds: RefundsTexts = {
  title: "Возвраты",
  text: "Что было возвращено по всем счетам.",
  filters: "Фильтры",
  status: "Статус",
  any: "Все",
  from: "С",
  to: "По",
  reset: "Сбросить",
  statuses: { succeeded: "Сделан", failed: "Не сделан", unknown: "Неясно", pending: "Выполняется" },
  sums: "Суммы по статусам",
  ofNewest: "Только по новейшим",
  unclear: "Неясно",
  unclearText:
    "Банк не сообщил, сделаны ли эти возвраты. Пока это неизвестно, по их счетам нельзя вернуть ничего больше.",
  since: (ago) => `Запрошен ${ago}`,
  asked: (count) => `банк спрошен ${times(count)}`,
  asks: (soon) => `следующий вопрос ${soon}`,
  asksNoMore: "банк больше не спрашивают: проверьте сами",
  askNow: "Спросить банк сейчас",
  stillUnclear: "Банк пока не отвечает",
  cleared: "Банк ответил",
  all: "Все возвраты",
  none: "Возвратов нет",
  noneText: "То, что вы вернёте, появится здесь.",
  older: "Показать более ранние",
  order: (number) => `Заказ ${number}`,
  number: (reference) => `№ ${reference}`,
  toInvoice: "Открыть счёт",
  resolve: "Указать исход",
  resolveTitle: (amount) => `Что стало с ${amount}?`,
  resolveText: "Сначала посмотрите в приложении банка. Ваш ответ сохранится вместе с вашим именем.",
  outcome: "Что показывает банк",
  outcomeWrong: "Выберите одно из двух",
  made: "Деньги возвращены",
  madeText: "Счёт будет считаться возвращённым на эту сумму.",
  notMade: "Деньги не возвращены",
  notMadeText: "Возврат будет считаться неудавшимся, и можно будет сделать другой.",
  reference: "Номер возврата в банке",
  referenceWrong: "Скопируйте номер из приложения банка",
  note: "Как вы это узнали",
  noteWrong: "Напишите не меньше 3 знаков",
  save: "Сохранить",
  saved: "Сохранено",
  conflict: "Об этом возврате уже известно другое. Посмотрите ещё раз."
}
