import type { Seen } from '@balcao/contract/edits.rules.ts'
import { Button, Stack } from '@mantine/core'
import type { FormErrors, UseFormReturnType } from '@mantine/form'
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { DialogActions } from '../dialog.tsx'
import { useUnsaved } from '../unsaved.ts'
import { Anew } from './anew.ts'
import { ChangedMeanwhile } from './changed-meanwhile.dialog.tsx'
import { GoneMeanwhile } from './gone-meanwhile.dialog.tsx'
import { useListText } from './list-screen.text.ts'
import { type Conflict, conflictOf, ownOf, seenOf, wordsIn } from './meanwhile.ts'

interface Props<Values extends Record<string, unknown>> {
  schema: z.ZodType
  initialValues: Values
  isNew?: boolean
  /** What is changed, as it was read: the form compares it with what is saved by then. */
  row?: object | null
  /** Something beside the fields of the form is changed. */
  isUnsaved?: boolean
  /**
   * `changed`: only changed values, so that concurrent changes by others are kept. `seen`: for the call that changes the row.
   */
  save(values: Values, changed: Partial<Values>, seen: Seen | undefined): Promise<unknown>
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
  const {
    schema,
    initialValues,
    isNew,
    isUnsaved = false,
    onClose,
    children,
    confirm,
    gone,
    onInvalid,
  } = props
  const t = useListText()
  const [busy, setBusy] = useState(false)
  const fields = useRef<HTMLFormElement>(null)
  // a dialog that had to fetch its row has focused its cross meanwhile
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  // the props follow the row as others change it
  const [initial] = useState(initialValues)
  const form = useSchemaForm(schema, { initialValues })
  const [row] = useState(props.row ?? null)
  const { carried, again } = useContext(Anew)
  const carryOver = useEffectEvent(() => carried && form.setValues(carried as Partial<Values>))
  useEffect(() => void carryOver(), [])
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [isGone, setGone] = useState(false)
  useUnsaved(form.isDirty() || isUnsaved)
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
    if (!(error instanceof ApiError) || error.status !== 404) return false
    if (error.field && error.field in initial) return false
    if (gone) {
      notify.warn(gone)
      onClose()
    } else if (row) setGone(true)
    return Boolean(row || gone)
  }
  function collided(error: unknown) {
    const found = row && conflictOf(error, fields.current)
    if (found) setConflict(found)
    return Boolean(found)
  }
  async function submit(values: Values, current?: Seen) {
    setBusy(true)
    setConflict(null)
    const changed = Object.entries(values).filter(([name]) => form.isDirty(name))
    const seen = row ? seenOf(row, initial, current) : undefined
    await props.save(values, Object.fromEntries(changed) as Partial<Values>, seen).then(
      () => {
        notify.done(props.done ?? t(isNew ? 'added' : 'saved'))
        onClose()
      },
      error => collided(error) || vanished(error) || form.refused(error) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <form ref={fields} onSubmit={form.onSubmit(values => submit(values), stay)} noValidate>
      <Stack gap={12}>{children(form)}</Stack>
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={busy}>
          {confirm ?? t('save')}
        </Button>
      </DialogActions>
      {conflict && (
        <ChangedMeanwhile
          conflict={conflict}
          onMine={() => void submit(form.getValues(), conflict.current)}
          onTheirs={again && (() => again(ownOf(form.getValues(), conflict)))}
          onClose={() => setConflict(null)}
        />
      )}
      {isGone && (
        <GoneMeanwhile words={wordsIn(form.getValues())} onDone={onClose} onClose={() => setGone(false)} />
      )}
    </form>
  )
}
