/** Errors of invoices, refunds and the provider. */
import { final, temporary } from "./CatalogEntry.ts"

/** Codes of invoices, refunds and the provider. */
export const invoices = {
  ...final(400, {
    provider_session_not_configured: [
      "Кассир қосылмаған. Оны кабинетте қосыңыз.",
      "Кассир не подключён. Подключите его в кабинете.",
      "No cashier is connected. Connect one in the cabinet."
    ],
    connection_not_active: [
      "Кассир қосылған, бірақ белсенді емес. Оны кабинетте іске қосыңыз.",
      "Кассир подключён, но не активен. Включите его в кабинете.",
      "The cashier connection is not active. Activate it in the cabinet."
    ]
  }),
  ...final(404, {
    connection_not_found: ["Мұндай кассир жоқ.", "Такого кассира нет.", "There is no such cashier connection."],
    letter_not_found: ["Мұндай хат жоқ.", "Такого письма нет.", "There is no such letter."],
    invoice_not_found: ["Шот табылмады.", "Счёт не найден.", "The invoice was not found."]
  }),
  ...final(409, {
    provider_session_expired: [
      "Кассирмен байланыс үзілген. Кабинетте қайта қосыңыз.",
      "Связь с кассиром разорвана. Подключите его заново в кабинете.",
      "The cashier connection is broken. Reconnect it in the cabinet."
    ],
    no_provider: [
      "Ұйымның жұмыс істейтін кассирі жоқ.",
      "У организации нет работающего кассира.",
      "The organization has no working cashier."
    ],
    connection_has_keys: [
      "Бұл кассирге кілттер байланған; алдымен оларды ауыстырыңыз.",
      "К кассиру привязаны ключи; сначала перепривяжите их.",
      "The cashier has bound keys; re-bind them first."
    ],
    letter_outdated: [
      "Шот енді төлемді күтпейді, сондықтан хат қайта жіберілмейді.",
      "Счёт больше не ждёт оплаты, поэтому письмо не отправить снова.",
      "The invoice does not wait for a payment any more, so its letter is not sent again."
    ],
    letter_limit: [
      "Бұл хат мүмкін болғанша қайта жіберілді.",
      "Это письмо уже отправлялось столько раз, сколько можно.",
      "This letter was sent again as often as it may be."
    ],
    invoice_not_open: [
      "Шот ашық емес. Оның қазіргі күйін тексеріңіз.",
      "Счёт не открыт. Проверьте его текущий статус.",
      "The invoice is not open. Check its current status."
    ],
    invoice_changed: [
      "Әрекет кезінде шот өзгерді. Оны қайта оқыңыз.",
      "Счёт изменился во время операции. Прочитайте его заново.",
      "The invoice changed during the operation. Read it again."
    ],
    invoice_not_refundable: [
      "Бұл шот бойынша ақша қайтаруға болмайды.",
      "По этому счёту возврат невозможен.",
      "The invoice cannot be refunded."
    ],
    refund_pending_unknown: [
      "Алдыңғы қайтарудың нәтижесі әлі белгісіз. Қайталамаңыз, шотты оқыңыз.",
      "Результат предыдущего возврата ещё неизвестен. Не повторяйте, прочитайте счёт.",
      "The result of an earlier refund is still unknown. Do not repeat, read the invoice."
    ],
    refund_state_conflict: [
      "Қайтару күйі күтілгеннен өзгеше.",
      "Состояние возврата отличается от ожидаемого.",
      "The refund state differs from what was expected."
    ],
    transaction_not_open: [
      "tx осы дерекқордың қатесіз ашық транзакциясы болуы керек.",
      "tx должен быть открытой транзакцией этой базы данных, в которой ничего не отказало.",
      "tx must be an open transaction of this database, in which nothing has failed."
    ]
  }),
  // It may be another request's, which ends it soon.
  ...temporary(409, {
    transaction_in_the_way: [
      "Қолданбаның ашық транзакциясы кедергі: шотты сонда { tx } арқылы жасаңыз не әуелі оны аяқтаңыз.",
      "Мешает открытая транзакция приложения: создайте счёт в ней с { tx } или сначала завершите её.",
      "A transaction of the application is in the way: create in it with { tx }, or end it before."
    ]
  }),
  ...final(422, {
    invalid_amount: [
      "Сома жоқ немесе сан емес; үтірден кейін екі таңбадан аспауы керек.",
      "Сумма не указана или не число; не более двух знаков после запятой.",
      "The amount is missing, not a number, or has more than two decimals."
    ],
    amount_too_small: ["Сома ең аз мөлшерден кем.", "Сумма меньше минимальной.", "The amount is below the minimum."],
    amount_too_large: [
      "Сома ең көп мөлшерден асады.",
      "Сумма больше максимальной.",
      "The amount is above the maximum."
    ],
    amount_must_be_whole_tenge: [
      "Сома бүтін теңге болуы керек.",
      "Сумма должна быть в целых тенге.",
      "The amount must be whole tenge."
    ],
    invalid_phone: [
      "Телефон 7XXXXXXXXXX түріндегі 11 цифрдан тұруы керек.",
      "Телефон должен состоять из 11 цифр вида 7XXXXXXXXXX.",
      "The phone must be 11 digits in the form 7XXXXXXXXXX."
    ],
    phone_required: ["Тұтынушының телефоны қажет.", "Нужен телефон клиента.", "The customer's phone is required."],
    invalid_kind: [
      "Шот түрі qr немесе phone болуы керек.",
      "Вид счёта должен быть qr или phone.",
      "The kind must be qr or phone."
    ],
    invalid_url: [
      "Мекенжай жарамсыз; http немесе https мекенжайы қажет.",
      "Недопустимый адрес; нужен адрес http или https.",
      "The URL is invalid; it must be http or https."
    ],
    invalid_description: [
      "Сипаттама жарамсыз немесе тым ұзын.",
      "Описание недопустимо или слишком длинное.",
      "The description is invalid or too long."
    ],
    invalid_external_order_id: [
      "Тапсырыс нөмірі жарамсыз немесе 100 таңбадан ұзын.",
      "Номер заказа недопустим или длиннее 100 символов.",
      "The order number is invalid or longer than 100 characters."
    ],
    invalid_customer: ["Тұтынушы деректері жарамсыз.", "Недопустимые данные клиента.", "The customer is invalid."],
    invalid_email: [
      "Электрондық пошта мекенжайы жарамсыз.",
      "Недопустимый адрес электронной почты.",
      "The e-mail address is invalid."
    ],
    invalid_metadata: [
      "metadata 16 КиБ-тан аспайтын JSON нысаны болуы керек.",
      "metadata должна быть объектом JSON до 16 КиБ.",
      "metadata must be a JSON object of at most 16 KiB."
    ],
    invalid_invoices: [
      "Сұрауда 1-ден 100-ге дейін шот болуы керек.",
      "В запросе должно быть от 1 до 100 счетов.",
      "The request must have 1 to 100 invoices."
    ],
    invalid_reason: [
      "Қайтару себебі жарамсыз немесе тым ұзын.",
      "Причина возврата недопустима или слишком длинная.",
      "The reason is invalid or too long."
    ],
    invalid_refund_amount: [
      "Қайтару сомасы жарамсыз; ол қалған төлемнен аспауы керек.",
      "Недопустимая сумма возврата; она не может превышать остаток платежа.",
      "The refund amount is invalid; it must not exceed what is left of the payment."
    ]
  }),
  ...final(502, {
    refund_unknown: [
      "Провайдер жауап бермеді; қайтару нәтижесі белгісіз. Қайталамаңыз, шотты оқыңыз.",
      "Провайдер не ответил; результат возврата неизвестен. Не повторяйте, прочитайте счёт.",
      "The provider gave no answer; the result is unknown. Do not repeat, read the invoice."
    ]
  }),
  ...temporary(502, {
    invoice_create_failed: [
      "Провайдер шотты қабылдамады.",
      "Провайдер не принял счёт.",
      "The provider did not accept the invoice."
    ],
    provider_error: [
      "Шотты жасау кезінде провайдер қатесі орын алды.",
      "Ошибка провайдера при создании счёта.",
      "Provider error while creating the invoice."
    ],
    cashier_number_rejected: [
      "Провайдер бұл кассир нөмірін қабылдамады.",
      "Провайдер не принял номер кассира.",
      "The provider did not accept the cashier's number."
    ],
    refund_failed: [
      "Провайдер қайтарудан бас тартты.",
      "Провайдер отказал в возврате.",
      "The provider refused the refund."
    ],
    cancel_failed: [
      "Провайдер шоттың күшін жоймады.",
      "Провайдер не отменил счёт.",
      "The provider did not cancel the invoice."
    ]
  })
}
