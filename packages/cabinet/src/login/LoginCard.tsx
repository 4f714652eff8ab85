/** The login itself, for a page of its own and for the one in place of a session that is over. */
import { useState } from "react"
import { useFirstWords } from "../parts/Words.tsx"
import { CodeStep } from "./CodeStep.tsx"
import styles from "./Login.module.css"
import { useLogin } from "./LoginState.ts"
import { PhoneStep, type Typed } from "./PhoneStep.tsx"

/** What it is for: to log in, to register, or to go on where a session was. */
export type Purpose = "login" | "join" | "over"

interface LoginCardProps {
  readonly purpose: Purpose
  /** The code that another person gave, if they did. */
  readonly invitation?: string | null
  /** Goes between login and registration; without it there is no way. */
  readonly onSwitch?: () => void
  readonly titleId?: string
}

/** The card. */
export const LoginCard = ({ purpose, invitation = null, onSwitch, titleId }: LoginCardProps) => {
  const { texts } = useFirstWords()
  const login = useLogin()
  const [typed, setTyped] = useState<Typed>({ phone: "", name: "" })
  const { challenge } = login
  const title = { login: texts.login.title, join: texts.login.joinTitle, over: texts.login.overTitle }[purpose]
  const about = { login: texts.login.about, join: texts.login.joinAbout, over: texts.login.overAbout }[purpose]
  // What was sent to an address is told without telling whether the number has one.
  const sentTo = challenge?.channel === "email" ? texts.login.codeEmailed : texts.login.codeSent
  const name = purpose === "join" && typed.name.trim() !== "" ? typed.name.trim() : null
  return (
    <div className={styles["card"]}>
      <div className={styles["head"]}>
        <h1 id={titleId}>{challenge === null ? title : texts.login.codeTitle}</h1>
        <p className={styles["quiet"]}>{challenge === null ? about : sentTo(`+7 ${typed.phone}`)}</p>
      </div>
      {invitation !== null && challenge === null && (
        <p className={styles["invited"]}>{texts.login.invited(invitation)}</p>
      )}
      {challenge === null ? (
        <PhoneStep login={login} typed={typed} onType={setTyped} isNew={purpose === "join"} />
      ) : (
        <CodeStep login={login} challenge={challenge} phone={typed.phone} name={name} />
      )}
      {challenge === null && onSwitch !== undefined && (
        <button type="button" className={styles["switch"]} onClick={onSwitch}>
          {purpose === "join" ? texts.login.toLogin : texts.login.toJoin}
        </button>
      )}
    </div>
  )
}
