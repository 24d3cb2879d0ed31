import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { type Closing, ClosingFields, closingOf, useClosingChoices } from './closing-fields.tsx'
import { useClosingText } from './tickets.closing.text.ts'

interface Props {
  title: string
  /** Of the tickets. */
  queueIds: (number | null)[]
  busy: boolean
  onClose(): void
  onResolve(closing: Closing): void
}

/** Asks why tickets are closed, where their queues have reasons; elsewhere they are closed at once. */
export default function ClosingDialog({ title, queueIds, busy, onClose, onResolve }: Props) {
  const t = useClosingText()
  const choices = useClosingChoices(queueIds)
  const [closing, setClosing] = useState<Closing>({})
  const asks = choices !== undefined && (choices.reasons.length > 0 || choices.isRequired)
  const isSettled = choices !== undefined && !asks
  const resolveNow = useEffectEvent(() => onResolve({}))
  useEffect(() => {
    if (isSettled) resolveNow()
  }, [isSettled])
  if (!asks) return null
  const lacks = choices.isRequired && !closing.closingReasonId
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (!busy && !lacks) onResolve(closingOf(closing))
        }}
      >
        <ClosingFields choices={choices} value={closing} onChange={setClosing} />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={lacks}>
            {t('resolve')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
