/** Notifications over Telegram. */
export * as TelegramMessenger from "./TelegramMessenger.ts"
