/** Letters over SMTP. */
export * as SmtpMailer from "./SmtpMailer.ts"
