/** Errors of tariffs, webhooks, subscriptions, payment links and the login by code. */
import { type CatalogEntry, final, temporary } from "./CatalogEntry.ts"

/** Codes of tariffs, webhooks, subscriptions, payment links and logins. */
export const merchants = {
  tariff_limit_reached: final(
    429,
    "Айлық шот лимиті таусылды. Тарифті кабинетте ауыстырыңыз.",
    "Месячный лимит счетов исчерпан. Смените тариф в кабинете.",
    "The monthly invoice quota is used up. Change the tariff in the cabinet."
  ),
  tariff_daily_burst: final(
    429,
    "Бір күнде тым көп шот жасалды. Бағдарламаңызды тексеріңіз.",
    "Слишком много счетов за один день. Проверьте свою программу.",
    "Too many invoices in one day. Check your program."
  ),
  sandbox_limit: final(
    429,
    "Бүгін сынақ режимінде тым көп шот жасалды. Ертең қайталап көріңіз.",
    "Сегодня в песочнице создано слишком много счетов. Попробуйте завтра.",
    "Too many sandbox invoices today. Try again tomorrow."
  ),
  tariff_inactive: final(
    403,
    "Тариф белсенді емес немесе сынақ мерзімі аяқталды.",
    "Тариф не активен или пробный период закончился.",
    "The tariff is inactive or the trial has ended."
  ),
  key_not_found: final(404, "Мұндай API кілті жоқ.", "Такого ключа API нет.", "There is no such API key."),
  invalid_connection_id: final(
    422,
    "connectionId мәтін немесе null болуы керек.",
    "connectionId должен быть строкой или null.",
    "connectionId must be a text or null."
  ),
  invalid_tariff: final(
    422,
    "Мұндай тариф жоқ немесе оны сатып алуға болмайды.",
    "Такого тарифа нет или его нельзя купить.",
    "There is no such tariff, or it cannot be bought."
  ),
  partner_required: final(403, "Серіктес тарифі қажет.", "Нужен партнёрский тариф.", "A partner tariff is needed."),
  invalid_events: final(
    422,
    "Оқиғалар тізімі жарамсыз.",
    "Недопустимый список событий.",
    "The list of events is invalid."
  ),
  invalid_disabled: final(
    422,
    "disabled true немесе false болуы керек.",
    "disabled должно быть true или false.",
    "disabled must be true or false."
  ),
  webhook_url_requires_https: final(
    422,
    "Вебхук мекенжайы https болуы керек.",
    "Адрес вебхука должен быть https.",
    "The webhook address must be https."
  ),
  webhook_url_requires_domain: final(
    422,
    "Вебхук мекенжайында нақты домен болуы керек.",
    "В адресе вебхука нужен настоящий домен.",
    "The webhook address needs a real domain."
  ),
  webhook_url_tunnel_forbidden: final(
    422,
    "Уақытша туннель мекенжайларына рұқсат жоқ.",
    "Адреса временных туннелей запрещены.",
    "Temporary tunnel addresses are forbidden."
  ),
  too_many_endpoints: final(
    422,
    "Вебхук мекенжайлары тым көп. Керек емесін жойыңыз.",
    "Слишком много адресов вебхуков. Удалите ненужные.",
    "There are too many webhook endpoints. Delete one that is not needed."
  ),
  endpoint_not_found: final(
    404,
    "Вебхук мекенжайы табылмады.",
    "Адрес вебхука не найден.",
    "The webhook endpoint was not found."
  ),
  delivery_not_found: final(404, "Жеткізу табылмады.", "Доставка не найдена.", "The delivery was not found."),
  hook_paused: final(410, "Форма қабылдағышы тоқтатылған.", "Приём формы приостановлен.", "The form hook is paused."),
  invalid_interval: final(
    422,
    "Аралық day, week немесе month болуы керек.",
    "Интервал должен быть day, week или month.",
    "The interval must be day, week or month."
  ),
  invalid_every: final(
    422,
    "every 1-ден 12-ге дейінгі бүтін сан болуы керек.",
    "every должно быть целым числом от 1 до 12.",
    "every must be an integer from 1 to 12."
  ),
  invalid_day_of_month: final(
    422,
    "dayOfMonth 1-ден 28-ге дейінгі бүтін сан болуы керек және тек interval month болғанда беріледі.",
    "dayOfMonth должно быть целым числом от 1 до 28 и указывается только при interval month.",
    "dayOfMonth must be an integer from 1 to 28, and goes with interval month only."
  ),
  invalid_start_at: final(
    422,
    "startAt күні мен уақыты жарамсыз: бір сағаттан ерте де, 10 жылдан кеш те болмауы керек.",
    "Неверные дата и время в startAt: не раньше часа назад и не позже чем через 10 лет.",
    "startAt must be a date-time, at most an hour back and 10 years ahead."
  ),
  invalid_next_run_at: final(
    422,
    "nextRunAt күні мен уақыты жарамсыз: бір сағаттан ерте де, 10 жылдан кеш те болмауы керек.",
    "Неверные дата и время в nextRunAt: не раньше часа назад и не позже чем через 10 лет.",
    "nextRunAt must be a date-time, at most an hour back and 10 years ahead."
  ),
  invalid_retry: final(
    422,
    "retry ең көбі 5 оң бүтін сан болуы керек.",
    "retry — не более 5 положительных целых чисел.",
    "retry must be at most 5 positive whole numbers."
  ),
  invalid_misfire: final(
    422,
    "misfire run_once немесе skip болуы керек.",
    "misfire должен быть run_once или skip.",
    "misfire must be run_once or skip."
  ),
  invalid_max_runs: final(
    422,
    "maxRuns оң бүтін сан болуы керек.",
    "maxRuns должно быть положительным целым числом.",
    "maxRuns must be a positive integer."
  ),
  invalid_referral_code: final(
    422,
    "Шақыру коды белгісіз.",
    "Неизвестный код приглашения.",
    "The referral code is unknown."
  ),
  too_many_keys: final(
    422,
    "Кілттердің саны шектен асты. Қажетсізін жойыңыз.",
    "Слишком много ключей. Удалите ненужный.",
    "There are too many keys. Delete one that is not needed."
  ),
  session_not_found: final(404, "Сессия табылмады.", "Сессия не найдена.", "The session was not found."),
  subscription_closed: final(
    409,
    "Жазылым аяқталған немесе тоқтатылған.",
    "Подписка завершена или остановлена.",
    "The subscription has ended or was stopped."
  ),
  subscription_not_found: final(404, "Жазылым табылмады.", "Подписка не найдена.", "The subscription was not found."),
  invalid_slug: final(
    422,
    "slug a-z, 0-9 және сызықшадан тұратын 3–64 таңба болуы керек.",
    "slug — от 3 до 64 знаков из a-z, 0-9 и дефиса.",
    "slug must be 3 to 64 characters of a-z, 0-9 and hyphens."
  ),
  invalid_title: final(
    422,
    "Тақырып жоқ немесе тым ұзын.",
    "Название не указано или слишком длинное.",
    "The title is missing or too long."
  ),
  link_not_found: final(
    404,
    "Төлем сілтемесі табылмады.",
    "Платёжная ссылка не найдена.",
    "The payment link was not found."
  ),
  hook_not_found: final(404, "Форма қабылдағышы табылмады.", "Приём формы не найден.", "The form hook was not found."),
  too_many_hooks: final(
    409,
    "Форма қабылдағыштарының саны шектен асты.",
    "Слишком много приёмов форм.",
    "There are too many form hooks."
  ),
  slug_taken: final(409, "Бұл сілтеме мекенжайы бос емес.", "Адрес ссылки занят.", "The link address is taken."),
  link_invalid: final(
    410,
    "Төлем сілтемесі жарамсыз.",
    "Платёжная ссылка недействительна.",
    "The payment link is invalid."
  ),
  link_paused: final(
    410,
    "Төлем сілтемесі тоқтатылған.",
    "Платёжная ссылка приостановлена.",
    "The payment link is paused."
  ),
  too_many_links: final(
    409,
    "Төлем сілтемелерінің саны шектен асты.",
    "Слишком много платёжных ссылок.",
    "There are too many payment links."
  ),
  invalid_code: final(400, "Код қате.", "Неверный код.", "The code is wrong."),
  challenge_expired: final(
    410,
    "Кодтың мерзімі өтті. Жаңасын сұраңыз.",
    "Срок действия кода истёк. Запросите новый.",
    "The code has expired. Request a new one."
  ),
  challenge_used: final(409, "Код пайдаланылып қойған.", "Код уже использован.", "The code was already used."),
  no_channel: temporary(
    503,
    "Код жіберетін арна жоқ.",
    "Нет канала для отправки кода.",
    "There is no channel to send the code through."
  ),
  channel_forbidden: final(403, "Бұл арнаға рұқсат жоқ.", "Канал не разрешён.", "The channel is not allowed.")
} satisfies Record<string, CatalogEntry>
