import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useTicketText } from './tickets.text.ts'

/** Asks for the queue where neither the ticket nor the attendant has exactly one. */
export default function AcceptTicketDialog({
  ticket,
  onClose,
  onChoose,
}: {
  ticket: Ticket
  onClose(): void
  onChoose(queueId: number): void
}) {
  const t = useTicketText()
  const { queues } = useUser()
  const [queueId, setQueueId] = useState('')
  return (
    <Dialog title={t('acceptTitle', { name: ticket.contact.name })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onChoose(Number(queueId))
        }}
      >
        <NativeSelect
          label={t('queue')}
          data-autofocus
          value={queueId}
          onChange={event => setQueueId(event.currentTarget.value)}
          data={[
            { value: '', label: t('chooseQueue'), disabled: true },
            ...queues.map(queue => ({ value: String(queue.id), label: queue.name })),
          ]}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={queueId === ''}>
            {t('start')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
