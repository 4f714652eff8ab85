/** The words of invoices that are made of a file, in Russian. */
import type { BulkTexts } from "./BulkTexts.ts"

/** The texts of invoices of files in Russian. */
export const russianBulk: BulkTexts = {
  title: "Счета из файла",
  text: "Выберите таблицу. Ошибки каждой строки видны до того, как что-либо создано.",
  file: "Файл",
  fileText: "CSV или XLSX, не больше 1000 строк и 1 МБ. В первой строке заголовки; обязательна только сумма.",
  choose: "Выбрать файл",
  other: "Выбрать другой файл",
  template: "Пустая таблица для заполнения:",
  columns: {
    amount: "Сумма",
    description: "Описание",
    orderId: "Номер заказа",
    customerName: "Клиент",
    phone: "Телефон",
    email: "Почта",
    kind: "Вид",
    successUrl: "successUrl",
    failUrl: "failUrl"
  },
  causes: {
    bytes: "Файл больше 1 МБ. Разделите его.",
    encoding: "Текст не читается. Сохраните файл как CSV UTF-8 или XLSX.",
    quote: "Кавычка открыта и не закрыта.",
    columns: "Слишком много столбцов: можно не больше 64.",
    rows: "В файле больше 1000 строк. Разделите его.",
    workbook: "Книга не читается. Сохраните её как XLSX ещё раз, без пароля.",
    unpacked: "Книга распаковывается больше чем в 8 МБ. Сохраните в новый файл только эту таблицу.",
    empty: "Под заголовками нет строк.",
    no_amount: "Нет столбца «Сумма».",
    head_twice: "Два столбца означают одно и то же."
  },
  inRow: (row) => `Строка ${row}.`,
  unread: "Не удалось прочитать файл с устройства.",
  found: "Что в файле",
  total: (rows, good, bad) => `Строк: ${rows}. Верных: ${good}. С ошибками: ${bad}.`,
  ignored: (heads) => `Столбцы, которые пропущены: ${heads}`,
  bad: "Строки с ошибками",
  badText: "Исправьте их в файле до создания счетов или позже в отдельном файле, где только эти строки.",
  row: "Строка",
  column: "Столбец",
  cause: "Что не так",
  make: (count, sum) => `Создать счета: ${count}, всего ${sum}`,
  goOn: "Продолжить",
  stopped: "Остановлено. Созданное остаётся; при продолжении ничего не создаётся дважды.",
  progress: (made, all) => `${made} из ${all}`,
  made: "Создано",
  madeText: (count) => `Счетов со ссылками: ${count}.`,
  before: (count) => `Создано из этого же файла раньше: ${count}. Чтобы выставить ещё раз, измените строки.`,
  failed: (count) => `Не создано: ${count}`,
  links: "Скачать ссылки:"
}
