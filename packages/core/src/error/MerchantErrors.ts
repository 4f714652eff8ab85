/** Errors of tariffs, webhooks, subscriptions, payment links and the login by code. */
import { final, temporary } from "./CatalogEntry.ts"

/** Codes of tariffs, webhooks, subscriptions, payment links and logins. */
export const merchants = {
  ...final(400, {
    invalid_code: ["Код қате.", "Неверный код.", "The code is wrong."]
  }),
  ...final(403, {
    tariff_inactive: [
      "Тариф белсенді емес немесе сынақ мерзімі аяқталды.",
      "Тариф не активен или пробный период закончился.",
      "The tariff is inactive or the trial has ended."
    ],
    partner_required: ["Серіктес тарифі қажет.", "Нужен партнёрский тариф.", "A partner tariff is needed."],
    form_refused: [
      "Бұл форма осы сайттан қабылданбайды.",
      "Форма с этого сайта не принимается.",
      "The form is not taken from this site."
    ],
    channel_forbidden: ["Бұл арнаға рұқсат жоқ.", "Канал не разрешён.", "The channel is not allowed."]
  }),
  ...final(404, {
    key_not_found: ["Мұндай API кілті жоқ.", "Такого ключа API нет.", "There is no such API key."],
    endpoint_not_found: [
      "Вебхук мекенжайы табылмады.",
      "Адрес вебхука не найден.",
      "The webhook endpoint was not found."
    ],
    delivery_not_found: ["Жеткізу табылмады.", "Доставка не найдена.", "The delivery was not found."],
    member_not_found: [
      "Мұндай мүше жоқ немесе ол иесі.",
      "Такого участника нет, или это владелец.",
      "There is no such member, or it is the owner."
    ],
    session_not_found: ["Сессия табылмады.", "Сессия не найдена.", "The session was not found."],
    subscription_not_found: ["Жазылым табылмады.", "Подписка не найдена.", "The subscription was not found."],
    link_not_found: ["Төлем сілтемесі табылмады.", "Платёжная ссылка не найдена.", "The payment link was not found."],
    hook_not_found: ["Форма қабылдағышы табылмады.", "Приём формы не найден.", "The form hook was not found."]
  }),
  ...final(409, {
    subscription_closed: [
      "Жазылым аяқталған немесе тоқтатылған.",
      "Подписка завершена или остановлена.",
      "The subscription has ended or was stopped."
    ],
    too_many_hooks: [
      "Форма қабылдағыштарының саны шектен асты.",
      "Слишком много приёмов форм.",
      "There are too many form hooks."
    ],
    organization_changed: [
      "Ұйым деректері сіз оқығаннан кейін өзгерді. Қайта оқып, қайталаңыз.",
      "Данные организации изменились после того, как вы их прочли. Прочтите снова и повторите.",
      "The organization has changed since you read it. Read it again, then try again."
    ],
    slug_taken: ["Бұл сілтеме мекенжайы бос емес.", "Адрес ссылки занят.", "The link address is taken."],
    too_many_links: [
      "Төлем сілтемелерінің саны шектен асты.",
      "Слишком много платёжных ссылок.",
      "There are too many payment links."
    ],
    link_not_open: [
      "Бұл сілтеме бойынша төлем әлі ашылған жоқ.",
      "Приём платежей по ссылке ещё не открыт.",
      "The payment link is not open yet."
    ],
    link_sold_out: [
      "Бұл сілтеме бойынша орын қалмады.",
      "По ссылке не осталось мест.",
      "The payment link has no place left."
    ],
    challenge_used: ["Код пайдаланылып қойған.", "Код уже использован.", "The code was already used."]
  }),
  ...final(410, {
    hook_paused: ["Форма қабылдағышы тоқтатылған.", "Приём формы приостановлен.", "The form hook is paused."],
    link_invalid: ["Төлем сілтемесі жарамсыз.", "Платёжная ссылка недействительна.", "The payment link is invalid."],
    link_closed: ["Төлем сілтемесінің мерзімі өтті.", "Срок платёжной ссылки истёк.", "The payment link has closed."],
    link_paused: ["Төлем сілтемесі тоқтатылған.", "Платёжная ссылка приостановлена.", "The payment link is paused."],
    challenge_expired: [
      "Кодтың мерзімі өтті. Жаңасын сұраңыз.",
      "Срок действия кода истёк. Запросите новый.",
      "The code has expired. Request a new one."
    ]
  }),
  ...final(422, {
    invalid_connection_id: [
      "connectionId мәтін немесе null болуы керек.",
      "connectionId должен быть строкой или null.",
      "connectionId must be a text or null."
    ],
    invalid_tariff: [
      "Мұндай тариф жоқ немесе оны сатып алуға болмайды.",
      "Такого тарифа нет или его нельзя купить.",
      "There is no such tariff, or it cannot be bought."
    ],
    invalid_allowed_origins: [
      "allowedOrigins — ең көбі он сайт: схема мен хост, жолсыз.",
      "allowedOrigins — не более десяти сайтов: схема и хост, без пути.",
      "allowedOrigins are at most ten sites: scheme and host, without a path."
    ],
    invalid_honeypot: [
      "honeypot — өріс атауы: латын әріптері мен цифрлар, форманың өз өрісі емес.",
      "honeypot — имя поля: латинские буквы и цифры, не одно из полей формы.",
      "honeypot is the name of a field: Latin letters and digits, and none of the form's own fields."
    ],
    invalid_events: ["Оқиғалар тізімі жарамсыз.", "Недопустимый список событий.", "The list of events is invalid."],
    invalid_disabled: [
      "disabled true немесе false болуы керек.",
      "disabled должно быть true или false.",
      "disabled must be true or false."
    ],
    webhook_url_requires_https: [
      "Вебхук мекенжайы https болуы керек.",
      "Адрес вебхука должен быть https.",
      "The webhook address must be https."
    ],
    webhook_url_requires_domain: [
      "Вебхук мекенжайында нақты домен болуы керек.",
      "В адресе вебхука нужен настоящий домен.",
      "The webhook address needs a real domain."
    ],
    webhook_url_tunnel_forbidden: [
      "Уақытша туннель мекенжайларына рұқсат жоқ.",
      "Адреса временных туннелей запрещены.",
      "Temporary tunnel addresses are forbidden."
    ],
    too_many_endpoints: [
      "Вебхук мекенжайлары тым көп. Керек емесін жойыңыз.",
      "Слишком много адресов вебхуков. Удалите ненужные.",
      "There are too many webhook endpoints. Delete one that is not needed."
    ],
    invalid_min_amount: [
      "minAmount жарамды сома болуы және maxAmount мәнінен аспауы керек.",
      "minAmount должно быть допустимой суммой не больше maxAmount.",
      "minAmount must be an amount that can be paid, and not above maxAmount."
    ],
    invalid_max_amount: [
      "maxAmount жарамды сома болуы керек.",
      "maxAmount должно быть допустимой суммой.",
      "maxAmount must be an amount that can be paid."
    ],
    invalid_presets: [
      "presets – minAmount пен maxAmount аралығындағы әртүрлі ең көбі 6 сома.",
      "presets – не более 6 разных сумм от minAmount до maxAmount.",
      "presets must be at most 6 different amounts from minAmount to maxAmount."
    ],
    invalid_fields: [
      "fields ішінде name, phone, email, comment үшін off, optional немесе required болуы керек.",
      "В fields для name, phone, email и comment указывается off, optional или required.",
      "fields has off, optional or required for name, phone, email and comment."
    ],
    invalid_thank_you: [
      "thankYou 500 таңбадан аспайтын мәтін болуы керек.",
      "thankYou должно быть текстом до 500 символов.",
      "thankYou must be a text of at most 500 characters."
    ],
    invalid_max_payments: [
      "maxPayments 1-ден 10 000-ға дейінгі бүтін сан болуы керек.",
      "maxPayments должно быть целым числом от 1 до 10 000.",
      "maxPayments must be an integer from 1 to 10 000."
    ],
    invalid_opens_at: [
      "opensAt күн мен уақыт болуы керек.",
      "opensAt должно быть датой и временем.",
      "opensAt must be a date-time."
    ],
    invalid_closes_at: [
      "closesAt opensAt мәнінен кейінгі күн мен уақыт болуы керек.",
      "closesAt должно быть датой и временем позже opensAt.",
      "closesAt must be a date-time after opensAt."
    ],
    invalid_comment: [
      "Түсініктеме 300 таңбадан аспауы керек.",
      "Комментарий – не более 300 символов.",
      "The comment must have at most 300 characters."
    ],
    name_required: ["Атыңызды көрсетіңіз.", "Укажите имя.", "The name is required."],
    email_required: [
      "Электрондық пошта мекенжайын көрсетіңіз.",
      "Укажите адрес электронной почты.",
      "The e-mail address is required."
    ],
    comment_required: ["Түсініктеме жазыңыз.", "Напишите комментарий.", "The comment is required."],
    invalid_interval: [
      "Аралық day, week немесе month болуы керек.",
      "Интервал должен быть day, week или month.",
      "The interval must be day, week or month."
    ],
    invalid_every: [
      "every 1-ден 12-ге дейінгі бүтін сан болуы керек.",
      "every должно быть целым числом от 1 до 12.",
      "every must be an integer from 1 to 12."
    ],
    invalid_day_of_month: [
      "dayOfMonth 1-ден 28-ге дейінгі бүтін сан болуы керек және тек interval month болғанда беріледі.",
      "dayOfMonth должно быть целым числом от 1 до 28 и указывается только при interval month.",
      "dayOfMonth must be an integer from 1 to 28, and goes with interval month only."
    ],
    invalid_start_at: [
      "startAt күні мен уақыты жарамсыз: бір сағаттан ерте де, 10 жылдан кеш те болмауы керек.",
      "Неверные дата и время в startAt: не раньше часа назад и не позже чем через 10 лет.",
      "startAt must be a date-time, at most an hour back and 10 years ahead."
    ],
    invalid_next_run_at: [
      "nextRunAt күні мен уақыты жарамсыз: бір сағаттан ерте де, 10 жылдан кеш те болмауы керек.",
      "Неверные дата и время в nextRunAt: не раньше часа назад и не позже чем через 10 лет.",
      "nextRunAt must be a date-time, at most an hour back and 10 years ahead."
    ],
    invalid_retry: [
      "retry ең көбі 5 оң бүтін сан болуы керек.",
      "retry — не более 5 положительных целых чисел.",
      "retry must be at most 5 positive whole numbers."
    ],
    invalid_misfire: [
      "misfire run_once немесе skip болуы керек.",
      "misfire должен быть run_once или skip.",
      "misfire must be run_once or skip."
    ],
    invalid_max_runs: [
      "maxRuns оң бүтін сан болуы керек.",
      "maxRuns должно быть положительным целым числом.",
      "maxRuns must be a positive integer."
    ],
    invalid_referral_code: ["Шақыру коды белгісіз.", "Неизвестный код приглашения.", "The referral code is unknown."],
    invalid_slug: [
      "slug a-z, 0-9 және сызықшадан тұратын 3–64 таңба болуы керек.",
      "slug — от 3 до 64 знаков из a-z, 0-9 и дефиса.",
      "slug must be 3 to 64 characters of a-z, 0-9 and hyphens."
    ],
    invalid_title: [
      "Тақырып жоқ немесе тым ұзын.",
      "Название не указано или слишком длинное.",
      "The title is missing or too long."
    ]
  }),
  ...final(429, {
    tariff_limit_reached: [
      "Айлық шот лимиті таусылды. Тарифті кабинетте ауыстырыңыз.",
      "Месячный лимит счетов исчерпан. Смените тариф в кабинете.",
      "The monthly invoice quota is used up. Change the tariff in the cabinet."
    ],
    tariff_daily_burst: [
      "Бір күнде тым көп шот жасалды. Бағдарламаңызды тексеріңіз.",
      "Слишком много счетов за один день. Проверьте свою программу.",
      "Too many invoices in one day. Check your program."
    ],
    sandbox_limit: [
      "Бүгін сынақ режимінде тым көп шот жасалды. Ертең қайталап көріңіз.",
      "Сегодня в песочнице создано слишком много счетов. Попробуйте завтра.",
      "Too many sandbox invoices today. Try again tomorrow."
    ]
  }),
  ...temporary(503, {
    no_channel: [
      "Код жіберетін арна жоқ.",
      "Нет канала для отправки кода.",
      "There is no channel to send the code through."
    ]
  })
}
