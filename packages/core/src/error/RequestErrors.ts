/** Errors of any request: its form, its key, its rate. */
import { final, temporary } from "./CatalogEntry.ts"

/** Codes of any request: its form, its key, its rate. */
export const requests = {
  ...final(400, {
    invalid_json: [
      "Сұрау денесі JSON нысаны емес.",
      "Тело запроса не является объектом JSON.",
      "The request body is not a JSON object."
    ],
    invalid_request: ["HTTP сұрауы жарамсыз.", "Некорректный запрос HTTP.", "The HTTP request is malformed."]
  }),
  ...final(401, {
    unauthorized: [
      "API кілті немесе кіру сеансы жоқ, жарамсыз немесе жойылған.",
      "Ключ API или сеанс входа отсутствует, недействителен или удалён.",
      "The API key or the session is missing, invalid or deleted."
    ]
  }),
  ...final(403, {
    cross_site_request: [
      "Сұрау басқа сайттан жіберілген немесе Origin тақырыбы жоқ.",
      "Запрос отправлен с другого сайта или без заголовка Origin.",
      "The request comes from another site, or lacks the header Origin."
    ],
    insufficient_scope: [
      "Кілттің бұл әрекетке құқығы жетпейді.",
      "У ключа нет права на это действие.",
      "The key lacks the scope for this action."
    ],
    insufficient_role: [
      "Рөліңіздің бұл әрекетке құқығы жетпейді.",
      "У вашей роли нет права на это действие.",
      "Your role lacks the right to this action."
    ],
    forbidden: [
      "Бұл ресурс басқа ұйымға немесе кассирге тиесілі.",
      "Ресурс принадлежит другой организации или кассиру.",
      "The resource belongs to another organization or cashier."
    ],
    account_blocked: ["Аккаунт бұғатталған.", "Аккаунт заблокирован.", "The account is blocked."],
    not_sandbox: [
      "Бұл әрекет тек тест режимінде қолжетімді.",
      "Действие доступно только в песочнице.",
      "The action is allowed in the sandbox only."
    ],
    not_live: [
      "Ұйым тест режимінде жұмыс істейді: нақты төлемдерді бастау үшін режимді ауыстырыңыз.",
      "Организация работает в песочнице: чтобы начинать настоящие платежи, переключите режим.",
      "The organization works in the sandbox; switch its mode to begin live payments."
    ]
  }),
  ...final(404, {
    route_not_found: ["Мұндай мекенжай жоқ.", "Такого адреса нет.", "There is no such address."]
  }),
  ...final(405, {
    method_not_allowed: [
      "Бұл мекенжай мұндай әдісті қабылдамайды.",
      "Метод не поддерживается по этому адресу.",
      "The method is not allowed here."
    ]
  }),
  ...temporary(408, {
    request_timeout: [
      "Сұрау белгіленген уақытта аяқталмады.",
      "Запрос не был завершён вовремя.",
      "The request was not completed in time."
    ]
  }),
  ...final(410, {
    organization_inactive: [
      "Ұйым мұрағатталған немесе жойылған.",
      "Организация в архиве или удалена.",
      "The organization is archived or removed."
    ]
  }),
  ...final(413, {
    payload_too_large: ["Сұрау денесі тым үлкен.", "Тело запроса слишком большое.", "The request body is too large."]
  }),
  ...final(415, {
    unsupported_media_type: [
      "Content-Type: application/json қажет.",
      "Требуется Content-Type: application/json.",
      "Content-Type: application/json is required."
    ],
    form_required: [
      "Content-Type: application/x-www-form-urlencoded немесе multipart/form-data қажет.",
      "Требуется Content-Type: application/x-www-form-urlencoded или multipart/form-data.",
      "Content-Type: application/x-www-form-urlencoded or multipart/form-data is required."
    ]
  }),
  ...final(422, {
    invalid_api_key: ["API кілтінің пішімі қате.", "Неверный формат ключа API.", "The API key is malformed."],
    invalid_idempotency_key: [
      "Қайталанбау кілті 1–255 таңба болуы керек.",
      "Ключ идемпотентности должен содержать от 1 до 255 символов.",
      "The idempotency key must have 1 to 255 characters."
    ],
    invalid_status: ["Күй мәні жарамсыз.", "Недопустимое значение статуса.", "The status is invalid."],
    invalid_limit: ["limit бүтін сан болуы керек.", "limit должен быть целым числом.", "limit must be an integer."],
    invalid_offset: ["offset бүтін сан болуы керек.", "offset должен быть целым числом.", "offset must be an integer."],
    invalid_duration: [
      "Ұзақтық дұрыс емес.",
      "Некорректная длительность.",
      "The duration is not a positive number of milliseconds within ten years."
    ],
    invalid_from: [
      "from күні немесе уақыты жарамсыз.",
      "Неверная дата или дата и время в from.",
      "from is not a valid date or date-time."
    ],
    invalid_to: [
      "to күні немесе уақыты жарамсыз.",
      "Неверная дата или дата и время в to.",
      "to is not a valid date or date-time."
    ],
    invalid_search: [
      "search бір ғана мәтін болуы керек.",
      "search должно быть одним текстом.",
      "search must be one text."
    ],
    invalid_source: [
      "source мәні request, subscription, payment-link немесе form-hook болуы керек.",
      "source должно быть request, subscription, payment-link или form-hook.",
      "source must be request, subscription, payment-link or form-hook."
    ],
    invalid_after: [
      "after осы лентаның курсоры да, күн не уақыт та емес.",
      "after не является ни курсором этой ленты, ни датой или датой и временем.",
      "after is neither a cursor of this feed nor a date or date-time."
    ],
    invalid_types: [
      "types ішінде белгісіз оқиға түрі бар.",
      "В types есть неизвестный вид события.",
      "types names an unknown type of event."
    ],
    invalid_wait: [
      "wait секундтардың бүтін саны болуы керек.",
      "wait должен быть целым числом секунд.",
      "wait must be a whole number of seconds."
    ],
    invalid_live: [
      "live бір рет қана беріледі: live=1.",
      "live указывается один раз: live=1.",
      "live is given once: live=1."
    ],
    invalid_mode: [
      "Режим sandbox немесе live болуы керек.",
      "Режим должен быть sandbox или live.",
      "The mode must be sandbox or live."
    ],
    invalid_name: ["Атау жарамсыз.", "Недопустимое имя.", "The name is invalid."],
    invalid_idn: ["БСН немесе ЖСН жарамсыз.", "Неверный БИН или ИИН.", "The identification number is invalid."],
    invalid_scopes: ["Құқықтар тізімі жарамсыз.", "Недопустимый список прав.", "The list of scopes is invalid."]
  }),
  ...final(429, {
    too_many_attempts: [
      "Код тым көп рет қате енгізілді. Жаңа код сұраңыз.",
      "Слишком много неверных кодов. Запросите новый.",
      "Too many wrong codes. Request a new one."
    ]
  }),
  ...temporary(429, {
    request_rate_limited: [
      "Сұраулар тым жиі. Retry-After тақырыбындағы уақыттан кейін қайталаңыз.",
      "Слишком много запросов. Повторите через время из заголовка Retry-After.",
      "Too many requests. Repeat after the time in Retry-After."
    ],
    rate_limited: [
      "Код тым жиі сұралды. Кейінірек қайталаңыз.",
      "Код запрошен слишком часто. Повторите позже.",
      "The code was requested too often. Try again later."
    ],
    too_many_exports: [
      "Кестелер қазірдің өзінде жүктелуде. Біреуі аяқталған соң қайталаңыз.",
      "Таблицы уже выгружаются. Повторите, когда одна из выгрузок закончится.",
      "Tables are being exported already. Try again when one of them is done."
    ],
    too_many_waiting: [
      "Жаңа оқиғаларды тым көп сұрау күтіп тұр. Кейінірек қайталаңыз.",
      "Слишком много запросов уже ждут новых событий. Повторите позже.",
      "Too many requests are waiting for new events already. Try again later."
    ]
  }),
  ...final(431, {
    headers_too_large: [
      "Сұрау тақырыптары тым үлкен.",
      "Слишком большие заголовки запроса.",
      "The request headers are too large."
    ]
  }),
  ...temporary(500, {
    internal_error: [
      "Ішкі қате орын алды. Кейінірек қайталаңыз.",
      "Внутренняя ошибка. Повторите позже.",
      "Internal error. Try again later."
    ]
  }),
  ...temporary(503, {
    service_unavailable: [
      "Қызмет уақытша қолжетімсіз. Кейінірек қайталаңыз.",
      "Сервис временно недоступен. Повторите позже.",
      "The service is temporarily unavailable. Try again later."
    ]
  })
}
