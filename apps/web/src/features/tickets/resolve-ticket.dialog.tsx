import { MAX_CLOSING_NOTE } from '@balcao/contract/closingReasons.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Radio, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { closingChoices } from '../closingReasons/closingReasons.api.ts'
import { useClosingText } from './tickets.closing.text.ts'

export interface Closing {
  closingReasonId?: number
  closingNote?: string
}

/** Asks why a ticket is closed, where its queue has reasons; elsewhere it is closed at once. */
export default function ResolveTicketDialog({
  ticket,
  busy,
  onClose,
  onResolve,
}: {
  ticket: Ticket
  busy: boolean
  onClose(): void
  onResolve(closing: Closing): void
}) {
  const t = useClosingText()
  const { data, isError } = useQuery(closingChoices(ticket.queueId))
  const [chosen, setChosen] = useState('')
  const [note, setNote] = useState('')
  const asks = data !== undefined && (data.closingReasons.length > 0 || data.reasonRequired)
  const isSettled = isError || (data !== undefined && !asks)
  const resolveNow = useEffectEvent(() => onResolve({}))
  useEffect(() => {
    if (isSettled) resolveNow()
  }, [isSettled])
  if (!asks) return null
  const reasons = data.closingReasons
  return (
    <Dialog title={t('title', { name: ticket.contact.name })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (busy || (data.reasonRequired && !chosen)) return
          onResolve({
            ...(chosen && { closingReasonId: Number(chosen) }),
            ...(note.trim() && { closingNote: note.trim() }),
          })
        }}
      >
        <Stack gap={12}>
          {reasons.length === 0 && <p role="alert">{t('none')}</p>}
          <Radio.Group
            label={t('reason')}
            description={data.reasonRequired ? undefined : t('optional')}
            value={chosen}
            onChange={setChosen}
          >
            <Stack gap={8} mt={8}>
              {reasons.map(({ id, name }, at) => (
                <Radio
                  key={id}
                  value={String(id)}
                  label={name}
                  {...(at === 0 && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={t('note')}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={MAX_CLOSING_NOTE}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={data.reasonRequired && !chosen}>
            {t('resolve')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
