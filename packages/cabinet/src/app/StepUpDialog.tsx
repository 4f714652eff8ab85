/** The dialog in which a person who is logged in gives a fresh code. */
import { useEffect, useRef } from "react"
import { confirm, turnAway } from "../api/Confirmation.ts"
import { ask } from "../api/Session.ts"
import { CodeStep } from "../login/CodeStep.tsx"
import { useCodes } from "../login/LoginState.ts"
import { maskedText } from "../login/PhoneText.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Refused } from "../parts/Refused.tsx"
import { Skeleton } from "../parts/Skeleton.tsx"
import { useWords } from "../parts/Words.tsx"
import { useSession } from "./SessionContext.ts"

const ofOneself = {
  ask: (_phone: string, channel: string | undefined) =>
    ask("POST /panel/session/code", { body: { channel: channel ?? null } }),
  give: async (challengeId: string, code: string) => {
    await ask("POST /panel/session/verify", { body: { challengeId, code } })
    confirm()
  }
}

/** The dialog. The code is on its way as soon as it opens. */
export const StepUpDialog = () => {
  const { texts } = useWords()
  const { account } = useSession()
  const codes = useCodes(ofOneself)
  const phone = maskedText(account.phone)
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void codes.send("")
  }, [codes])
  const about = codes.challenge?.channel === "email" ? texts.login.codeEmailed : texts.stepUp.about
  return (
    <Dialog title={texts.stepUp.title} text={about(phone)} onClose={turnAway}>
      {codes.challenge === null && codes.failure === null && <Skeleton lines={2} tall />}
      {codes.challenge === null && codes.failure !== null && (
        <>
          <Refused failure={codes.failure} />
          <Button isBusy={codes.isBusy} onClick={() => void codes.send("")}>
            {texts.common.again}
          </Button>
        </>
      )}
      {codes.challenge !== null && (
        <CodeStep
          login={codes}
          challenge={codes.challenge}
          phone=""
          name={null}
          action={texts.stepUp.confirm}
          isOfOnePhone
        />
      )}
    </Dialog>
  )
}
