/** The words of the tariff in Kazakh. */
import type { BillsTexts } from "./BillsTexts.ts"

/** The texts of the tariff in Kazakh. */
export const kazakhBills: BillsTexts = {
  title: "Тариф және шоттар",
  catalogue: "Тарифтер",
  perMonth: (amount) => `айына ${amount}`,
  limits: (month, day) => `Айына ${month}, күніне ${day} нақты шотқа дейін`,
  opensClients: "Серіктестерге: клиенттер ашып, оларды жүргізуге болады",
  current: "Қазіргі тарифіңіз",
  notForSale: "Сатылмайды",
  buy: "Бір айға сатып алу",
  prolong: "Бір айға ұзарту",
  noSeller: "Мұнда тарифтер сатылмайды. Басқа тариф үшін осы сервисті жүргізушілерге хабарласыңыз.",
  ownerBuys: "Тарифтерді ұйым иесі сатып алады.",
  unavailable: "Қазір сатып алу мүмкін емес. Кейінірек қайталаңыз немесе осы сервисті жүргізушілерге хабарласыңыз.",
  payTitle: (tariff, amount) => `${tariff}: ${amount}`,
  payText: "Кодты банк қолданбасымен сканерлеңіз немесе төлем бетін ашыңыз. Ай төленген кезде басталады.",
  payPage: "Төлем бетін ашу",
  waiting: "Төлем күтілуде",
  paid: "Төленді. Тариф қазір күшіне енеді.",
  started: (tariff) => `${tariff} тарифі күшінде.`,
  ended: "Бұл код бойынша енді төлеуге болмайды.",
  again: "Жаңа код жасау",
  done: "Дайын",
  bills: "Шоттар",
  none: "Әзірге шот жоқ",
  noneText: "Тапсырыс берілген әр тариф осында көрінеді.",
  applied: (day) => `${day} бастап күшінде`,
  receipt: "Чек",
  payNow: "Төлеу",
  older: "Бұрынғыларын көрсету"
}
