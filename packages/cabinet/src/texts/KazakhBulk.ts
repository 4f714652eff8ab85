/** The words of invoices that are made of a file, in Kazakh. */
import type { BulkTexts } from "./BulkTexts.ts"

/** The texts of invoices of files in Kazakh. */
export const kazakhBulk: BulkTexts = {
  title: "Файлдан шоттар",
  text: "Кестені таңдаңыз. Әр жолдың қатесі ештеңе жасалмай тұрып көрінеді.",
  file: "Файл",
  fileText: "CSV немесе XLSX, 1000 жолдан және 1 МБ-тан аспайды. Бірінші жолда тақырыптар; тек сома міндетті.",
  choose: "Файл таңдау",
  other: "Басқа файл таңдау",
  template: "Толтыруға арналған бос кесте:",
  columns: {
    amount: "Сомасы",
    description: "Сипаттамасы",
    orderId: "Тапсырыс нөмірі",
    customerName: "Клиент",
    phone: "Телефон",
    email: "Электрондық пошта",
    kind: "Түрі",
    successUrl: "successUrl",
    failUrl: "failUrl"
  },
  causes: {
    bytes: "Файл 1 МБ-тан үлкен. Оны бөліңіз.",
    encoding: "Мәтін оқылмайды. Файлды CSV UTF-8 немесе XLSX түрінде сақтаңыз.",
    quote: "Тырнақша ашылған, бірақ жабылмаған.",
    columns: "Бағандар тым көп: 64-тен аспауы керек.",
    rows: "Файлда 1000 жолдан көп. Оны бөліңіз.",
    workbook: "Кітап оқылмайды. Оны құпиясөзсіз XLSX түрінде қайта сақтаңыз.",
    unpacked: "Кітап ашылғанда 8 МБ-тан асады. Тек осы кестені жаңа файлға сақтаңыз.",
    empty: "Тақырыптардың астында жолдар жоқ.",
    no_amount: "«Сомасы» деген баған жоқ.",
    head_twice: "Екі бағанның мағынасы бірдей."
  },
  inRow: (row) => `${row}-жол.`,
  unread: "Файлды құрылғыдан оқу мүмкін болмады.",
  found: "Файлда не бар",
  total: (rows, good, bad) => `Жолдар: ${rows}. Дұрыс: ${good}. Қатемен: ${bad}.`,
  ignored: (heads) => `Ескерілмеген бағандар: ${heads}`,
  bad: "Қатесі бар жолдар",
  row: "Жол",
  column: "Баған",
  cause: "Не дұрыс емес",
  make: (count, sum) => `Шоттарды жасау: ${count}, барлығы ${sum}`,
  goOn: "Жалғастыру",
  stopped: "Тоқтады. Жасалғаны қалады; жалғастырғанда ештеңе екі рет жасалмайды.",
  progress: (made, all) => `${all} ішінен ${made}`,
  made: "Жасалды",
  madeText: (count) => `Сілтемесі бар шоттар: ${count}.`,
  before: (count) => `Осы файлдан бұрын жасалған: ${count}. Қайта шот қою үшін жолдарды өзгертіңіз.`,
  failed: (count) => `Жасалмады: ${count}`,
  links: "Сілтемелерді жүктеп алу:"
}
