/** The words of the cabinet in Russian. */
import { catalogue as refusals } from "virtual:catalogue/ru"
import type { Texts } from "./Texts.ts"

/** The cabinet's texts in Russian. */
export const russian: Texts = {
  name: "Русский",
  login: {
    title: "Вход в кабинет",
    about: "Мы пришлём код на ваш телефон. Пароль помнить не нужно.",
    joinTitle: "Начните принимать платежи",
    joinAbout: "Регистрация займёт минуту. Сначала вы в песочнице, где деньги не списываются.",
    overTitle: "Войдите ещё раз",
    overAbout: "Сессия закончилась. Всё, что вы ввели, останется на месте.",
    invited: (code) => `Приглашение с кодом ${code}`,
    phone: "Телефон",
    phoneShort: "Введите все десять цифр после +7.",
    personName: "Ваше имя",
    nameHint: "Чтобы вас узнавали коллеги",
    send: "Получить код",
    toJoin: "Впервые здесь? Зарегистрируйтесь",
    toLogin: "Уже есть аккаунт? Войдите",
    codeTitle: "Введите код",
    codeSent: (phone) => `Отправлен на ${phone}. Действует пять минут.`,
    code: "Код",
    enter: "Войти",
    otherPhone: "Другой номер",
    resend: "Отправить новый код",
    resendIn: (time) => `Новый код через ${time}`,
    sentAgain: "Новый код отправлен.",
    via: (channel) => `Отправить через ${channel}`,
    away: "Сервер недоступен.",
    language: "Язык"
  },
  shell: {
    menu: "Разделы",
    skip: "К содержанию",
    profile: "Профиль",
    organization: "Организация",
    home: "Обзор",
    keys: "Ключи API",
    mode: "Режим",
    sandbox: "Песочница",
    sandboxText: "деньги здесь не списываются",
    live: "Боевой режим",
    theme: "Тема",
    themes: {
      system: "Как в системе",
      light: "Светлая",
      dark: "Тёмная"
    },
    logout: "Выйти",
    docs: "Документация"
  },
  profile: {
    title: "Профиль",
    account: "Аккаунт",
    unnamed: "Имя не указано",
    appearance: "Язык и тема",
    sessions: "Где вы вошли",
    sessionsText: "Завершите то, чего не узнаёте: на том устройстве придётся войти заново.",
    current: "это устройство",
    seen: (when) => `Последний раз ${when}`,
    unknownDevice: "Неизвестное устройство",
    end: "Завершить",
    endOthers: "Завершить остальные",
    ended: "Сессия завершена",
    othersEnded: (count) => `Завершено сессий: ${count}`,
    referral: "Пригласите друга",
    referralText: "Вы получите долю от того, что он заплатит за тариф.",
    referralLink: "Ваша ссылка",
    brought: "Приглашено",
    earned: "Начислено",
    paidOut: "Выплачено",
    organizations: "Организации",
    noOrganizations: "Вы пока не состоите ни в одной организации.",
    roles: {
      owner: "Владелец",
      manager: "Управляющий",
      accountant: "Бухгалтер",
      cashier: "Кассир",
      developer: "Разработчик",
      operator: "Оператор"
    }
  },
  home: {
    tariff: "Тариф",
    tariffUntil: (day) => `Действует до ${day}`,
    tariffOver: "Закончился: боевые счета создавать нельзя.",
    month: "В этом месяце",
    day: "Сегодня",
    used: (used, limit) => `${used} из ${limit}`,
    usedText: "Боевые счета. Песочница не считается.",
    role: "Ваша роль",
    idn: "БИН или ИИН",
    legalName: "Юридическое название",
    since: "Здесь с",
    archived: "Организация в архиве. Изменить здесь ничего нельзя."
  },
  keys: {
    title: "Ключи API",
    about: "С ними программы вызывают API. Текст ключа показывается один раз, при создании.",
    none: "Ключей пока нет",
    noneText: "Ключ нужен программам, которые создают счета за вас.",
    lastUsed: (when) => `Последний раз ${when}`,
    neverUsed: "Ещё не использовался",
    made: (when) => `Создан ${when}`,
    bound: "Привязан к кассиру"
  },
  common: {
    offline: "Нет связи",
    offlineText: "Данные на экране могли устареть. Всё продолжится само.",
    again: "Повторить",
    cancel: "Отмена",
    close: "Закрыть",
    copy: "Скопировать",
    copied: "Скопировано",
    undo: "Вернуть",
    failed: "Не получилось",
    failedText: "Вы тут ни при чём. Повторите; если не поможет, сообщите оператору сервиса.",
    notFound: "Страница не найдена",
    notFoundText: "Возможно, её перенесли или в адресе опечатка.",
    home: "В начало",
    advice: {
      invalid_code: "Посмотрите последнее сообщение: подходит только код из него.",
      challenge_expired: "Отправьте новый.",
      challenge_used: "Отправьте новый.",
      too_many_attempts: "Старый код больше не действует. Отправьте новый.",
      account_blocked: "Напишите оператору сервиса, чтобы его открыли.",
      no_channel: "Оператору нужно настроить отправку кодов: tolem serve --login-channel.",
      channel_forbidden: "Выберите другой способ получить код.",
      invalid_phone: "Казахстанские номера начинаются с +7 7.",
      rate_limited: "Возможно, прошлый код ещё действует: посмотрите сообщения.",
      invalid_name: "Имя — до 100 знаков, без переносов строк.",
      cross_site_request: "Обновите страницу и откройте её по её собственному адресу.",
      service_unavailable: "Повторите чуть позже.",
      internal_error: "Повторите чуть позже.",
      offline: "Проверьте связь и повторите."
    }
  }
}

/** What the codes of refusals mean, in Russian. */
export const russianRefusals: Readonly<Record<string, string>> = refusals
