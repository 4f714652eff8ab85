/** The words of the cabinet in English. */
import { catalogue as refusals } from "virtual:catalogue/en"
import type { Texts } from "./Texts.ts"

/** The cabinet's texts in English. */
export const english: Texts = {
  name: "English",
  login: {
    title: "Log in to the cabinet",
    about: "We send a code to your phone. There is no password to remember.",
    joinTitle: "Start taking payments",
    joinAbout: "An account takes a minute. You begin in the sandbox, where no money moves.",
    overTitle: "Log in again",
    overAbout: "Your session has ended. What you have typed stays as it is.",
    invited: (code) => `Invited with the code ${code}`,
    phone: "Phone",
    phoneShort: "Enter all ten digits after +7.",
    personName: "Your name",
    nameHint: "So that your colleagues know you",
    send: "Get a code",
    toJoin: "New here? Register",
    toLogin: "Already registered? Log in",
    codeTitle: "Enter the code",
    codeSent: (phone) => `Sent to ${phone}. It is good for five minutes.`,
    code: "Code",
    enter: "Log in",
    otherPhone: "Other number",
    resend: "Send a new code",
    resendIn: (time) => `A new code in ${time}`,
    sentAgain: "A new code is on its way.",
    via: (channel) => `Send by ${channel}`,
    away: "The server cannot be reached.",
    language: "Language"
  },
  shell: {
    menu: "Sections",
    skip: "To the content",
    profile: "Profile",
    organization: "Organization",
    home: "Overview",
    keys: "API keys",
    mode: "Mode",
    sandbox: "Sandbox",
    sandboxText: "no money moves here",
    live: "Live",
    theme: "Theme",
    themes: {
      system: "As the system",
      light: "Light",
      dark: "Dark"
    },
    logout: "Log out",
    docs: "Documentation"
  },
  profile: {
    title: "Profile",
    account: "Account",
    unnamed: "No name given",
    appearance: "Language and theme",
    sessions: "Where you are logged in",
    sessionsText: "End what you do not know: that device has to log in anew.",
    current: "this device",
    seen: (when) => `Last used ${when}`,
    unknownDevice: "Unknown device",
    end: "End",
    endOthers: "End all others",
    ended: "Session ended",
    othersEnded: (count) => `${count === 1 ? "1 session" : `${count} sessions`} ended`,
    referral: "Bring a friend",
    referralText: "You get a share of what they pay for their tariff.",
    referralLink: "Your link",
    brought: "Brought",
    earned: "Earned",
    paidOut: "Paid out",
    organizations: "Organizations",
    noOrganizations: "You are in no organization yet.",
    roles: {
      owner: "Owner",
      manager: "Manager",
      accountant: "Accountant",
      cashier: "Cashier",
      developer: "Developer",
      operator: "Operator"
    }
  },
  home: {
    tariff: "Tariff",
    tariffUntil: (day) => `Good until ${day}`,
    tariffOver: "It has ended: live invoices cannot be made.",
    month: "This month",
    day: "Today",
    used: (used, limit) => `${used} of ${limit}`,
    usedText: "Live invoices. The sandbox counts none.",
    role: "Your role",
    idn: "BIN or IIN",
    legalName: "Legal name",
    since: "Here since",
    archived: "This organization is archived. Nothing can be changed here."
  },
  keys: {
    title: "API keys",
    about: "Programs call the API with them. A key's text is shown once, when it is made.",
    none: "No keys yet",
    noneText: "Programs that make invoices for you need one.",
    lastUsed: (when) => `Last used ${when}`,
    neverUsed: "Never used",
    made: (when) => `Made ${when}`,
    bound: "Bound to a cashier"
  },
  common: {
    offline: "No connection",
    offlineText: "What you see may be out of date. It goes on by itself.",
    again: "Try again",
    cancel: "Cancel",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    undo: "Undo",
    failed: "That did not work",
    failedText: "It is not your fault. Try again; if it stays so, tell the operator of the service.",
    notFound: "Page not found",
    notFoundText: "It may have been moved, or the address is mistyped.",
    home: "To the start",
    advice: {
      invalid_code: "Look at the last message: only its code counts.",
      challenge_expired: "Have a new one sent.",
      challenge_used: "Have a new one sent.",
      too_many_attempts: "The old code is no longer good. Have a new one sent.",
      account_blocked: "Write to the operator of the service to have it opened.",
      no_channel: "The operator has to set up how codes are sent: tolem serve --login-channel.",
      channel_forbidden: "Choose another way to get the code.",
      invalid_phone: "Kazakhstani numbers begin with +7 7.",
      rate_limited: "The last code may still be good: look at your messages.",
      invalid_name: "A name has up to 100 characters, and no line breaks.",
      cross_site_request: "Reload the page and open it at its own address.",
      service_unavailable: "Try again in a moment.",
      internal_error: "Try again in a moment.",
      offline: "Check the connection; then try again."
    }
  }
}

/** What the codes of refusals mean, in English. */
export const englishRefusals: Readonly<Record<string, string>> = refusals
