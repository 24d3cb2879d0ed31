import { Button, Stack } from '@mantine/core'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { DialogActions } from '../dialog.tsx'
import { useListText } from './list-screen.text.ts'

interface Props<Values extends Record<string, unknown>> {
  schema: z.ZodType
  initialValues: Values
  isNew?: boolean
  /** `changed`: only changed values, so that concurrent changes by others are kept. */
  save(values: Values, changed: Partial<Values>): Promise<unknown>
  onClose(): void
  children(form: UseFormReturnType<Values>): ReactNode
  /** Label of the button, where it does more than save. */
  confirm?: string
  /** Notice of success, where the documents give one. */
  done?: string
  /** Notice where the row is gone, before it closes. */
  gone?: string
  /** Called with the errors that keep the form from being saved, which are shown at its fields. */
  onInvalid?(errors: FormErrors): void
}

/**
 * The form of a row: saves, reports and closes; a refusal is shown at the field that it names, or stays as a
 * notice.
 */
export function RowForm<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { schema, initialValues, isNew, save, onClose, children, confirm, done, gone, onInvalid } = props
  const t = useListText()
  const [busy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)
  // a dialog that had to fetch its row has focused its cross meanwhile
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const form = useSchemaForm(schema, { initialValues })
  function stay(errors: FormErrors) {
    onInvalid?.(errors)
    requestAnimationFrame(() => {
      const wrong = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      wrong?.focus()
      // it may be outside the viewport, and have the focus already
      wrong?.scrollIntoView({ block: 'nearest' })
    })
  }
  function vanished(error: unknown) {
    if (!gone || !(error instanceof ApiError) || error.code !== 'ERR_NOT_FOUND') return false
    notify.warn(gone)
    onClose()
    return true
  }
  async function submit(values: Values) {
    setBusy(true)
    const changed = Object.entries(values).filter(([name]) => form.isDirty(name))
    await save(values, Object.fromEntries(changed) as Partial<Values>).then(
      () => {
        notify.done(done ?? t(isNew ? 'added' : 'saved'))
        onClose()
      },
      error => vanished(error) || form.refused(error) || notify.failed(error),
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
