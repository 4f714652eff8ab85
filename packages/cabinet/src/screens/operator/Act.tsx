/** Something that an operator does: it is said what comes of it, done once they agree, and takes a fresh code. */
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useState } from "react"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"

interface ActProps<A> {
  readonly name: string
  /** What comes of it. */
  readonly text: string
  readonly look?: "second" | "bad"
  readonly act: () => Promise<A>
  /** What is told when it was done. */
  readonly told: (done: A) => string
  readonly onDone: (done: A) => void
  /** Fields of the dialog. */
  readonly children?: ReactNode
}

/** The button, with its dialog. */
export const Act = <A,>({ name, text, look = "second", act, told, onDone, children }: ActProps<A>) => {
  const [isOpen, setOpen] = useState(false)
  const notify = useNotify()
  const doing = useMutation({
    mutationFn: act,
    onSuccess: (done) => {
      setOpen(false)
      notify({ title: told(done), tone: "good" })
      onDone(done)
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    doing.mutate()
  }
  const open = () => {
    doing.reset()
    setOpen(true)
  }
  return (
    <>
      <Button look={look} isSmall onClick={open}>
        {name}
      </Button>
      {isOpen && (
        <Dialog title={name} text={text} onClose={() => setOpen(false)}>
          <form onSubmit={submit} noValidate>
            {children}
            {doing.error !== null && <Refused failure={doing.error} />}
            <Button type="submit" look={look === "bad" ? "bad" : "main"} isBusy={doing.isPending}>
              {name}
            </Button>
          </form>
        </Dialog>
      )}
    </>
  )
}
