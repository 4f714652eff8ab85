/** Dialogs, as the browser shows them over the page. */

/**
 * Shows a dialog, if it is not open, with the focus where one of its fields asks for it. React gives it to that field
 * before: what is not shown yet cannot take it.
 */
export const showModal = (dialog: HTMLDialogElement | null): void => {
  if (dialog?.open !== false) return
  dialog.showModal()
  dialog.querySelector<HTMLElement>("[data-first]")?.focus()
}
