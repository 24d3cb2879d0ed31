import { Button, Stack } from '@mantine/core'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { DialogActions } from '../dialog.tsx'
import { useListText } from './list-screen.text.ts'

interface Props<Values extends Record<string, unknown>> {
  schema: z.ZodType
  initialValues: Values
  isNew?: boolean
  save(values: Values): Promise<unknown>
  onClose(): void
  children(form: UseFormReturnType<Values>): ReactNode
  /** What the button says, where it does more than save. */
  confirm?: string
  /** Said when it is done, where the documents have words of their own. */
  done?: string
  /** Hears of what keeps the form from being saved, which stands at its fields. */
  onInvalid?(errors: FormErrors): void
}

/** The form of a row: saves, says so and closes; a refusal stands at the field that it names, or stays as a notice. */
export function RowForm<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { schema, initialValues, isNew, save, onClose, children, confirm, done, onInvalid } = props
  const t = useListText()
  const [busy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)
  // a dialog that had to fetch its row gave the focus to its cross meanwhile
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const form = useSchemaForm(schema, { initialValues })
  function stay(errors: FormErrors) {
    onInvalid?.(errors)
    // what is wrong may stand further up than one sees
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  async function submit(values: Values) {
    setBusy(true)
    await save(values).then(
      () => {
        notify.done(done ?? t(isNew ? 'added' : 'saved'))
        onClose()
      },
      error => form.refused(error) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <form ref={fields} onSubmit={form.onSubmit(submit, stay)} noValidate>
      <Stack gap={12}>{children(form)}</Stack>
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={busy}>
          {confirm ?? t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
