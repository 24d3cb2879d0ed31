import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { userChoices } from '../users/users.api.ts'
import { connectionChoices, queueChoices } from './tickets.api.ts'
import { ticketText } from './tickets.text.ts'

interface Props {
  ticket: Ticket
  onClose(): void
  onChoose(to: { queueId: number; userId: number | null; whatsappId?: number }): void
}

/** To a queue, to a person of it when one is named, over another connection for those who may. */
export default function TransferTicketDialog({ ticket, onClose, onChoose }: Props) {
  const t = ticketText()
  const mayMove = useMay('ticket-options:transferWhatsapp') || ticket.whatsappId === null
  const { data: queues = [] } = useQuery(queueChoices)
  const { data: users = [] } = useQuery(userChoices)
  const { data: connections = [] } = useQuery({ ...connectionChoices, enabled: mayMove })
  const [queueId, setQueueId] = useState('')
  const [userId, setUserId] = useState('')
  const [whatsappId, setWhatsappId] = useState('')
  const inQueue = users.filter(user => user.queues.some(queue => String(queue.id) === queueId))
  return (
    <Dialog title={t('transferTitle', { name: ticket.contact.name })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onChoose({
            queueId: Number(queueId),
            userId: userId ? Number(userId) : null,
            ...(whatsappId && { whatsappId: Number(whatsappId) }),
          })
        }}
      >
        <Stack gap={12}>
          <NativeSelect
            label={t('queue')}
            data-autofocus
            value={queueId}
            onChange={event => {
              setQueueId(event.currentTarget.value)
              setUserId('')
            }}
            data={[
              { value: '', label: t('chooseQueue'), disabled: true },
              ...queues.map(queue => ({ value: String(queue.id), label: queue.name })),
            ]}
          />
          <NativeSelect
            label={t('user')}
            disabled={queueId === ''}
            value={userId}
            onChange={event => setUserId(event.currentTarget.value)}
            data={[
              { value: '', label: t('anyone') },
              ...inQueue.map(user => ({ value: String(user.id), label: user.name })),
            ]}
          />
          {mayMove && (
            <NativeSelect
              label={t('connection')}
              value={whatsappId}
              onChange={event => setWhatsappId(event.currentTarget.value)}
              data={[
                { value: '', label: t('sameConnection') },
                ...connections.map(one => ({ value: String(one.id), label: one.name })),
              ]}
            />
          )}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={queueId === ''}>
            {t('transfer')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
