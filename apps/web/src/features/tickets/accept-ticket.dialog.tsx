import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useTicketText } from './tickets.text.ts'

/** Requires a queue where neither the ticket nor the attendant has exactly one. */
export default function AcceptTicketDialog({
  ticket,
  busy,
  onClose,
  onChoose,
}: {
  ticket: Ticket
  busy: boolean
  onClose(): void
  onChoose(queueId: number): void
}) {
  const t = useTicketText()
  const { id, queues } = useUser()
  const [queueId, setQueueId] = useState(() => lastOf(id, queues))
  const choose = (chosen: number) => {
    if (busy || !chosen) return
    localStorage.setItem(keyOf(id), String(chosen))
    onChoose(chosen)
  }
  /** A digit chooses a queue by its number; Enter starts with the selected one. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const numbered = /^[1-9]$/.test(event.key) ? queues[Number(event.key) - 1] : undefined
    const isSelect = event.target instanceof HTMLSelectElement
    if (!numbered && !(event.key === 'Enter' && isSelect)) return
    event.preventDefault()
    choose(numbered?.id ?? Number(queueId))
  }
  return (
    <Dialog title={t('acceptTitle', { name: ticket.contact.name })} onClose={onClose}>
      <form
        onKeyDown={onKeyDown}
        onSubmit={event => {
          event.preventDefault()
          choose(Number(queueId))
        }}
      >
        <NativeSelect
          label={t('queue')}
          description={t('queueKeys', {
            keys: queues
              .filter((_, at) => at < 9)
              .map(({ name }, at) => `${at + 1} ${name}`)
              .join(', '),
          })}
          data-autofocus
          value={queueId}
          onChange={event => setQueueId(event.currentTarget.value)}
          data={[
            { value: '', label: t('chooseQueue'), disabled: true },
            ...queues.map(queue => ({ value: String(queue.id), label: queue.name })),
          ]}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={queueId === ''}>
            {t('start')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const keyOf = (userId: number) => `acceptQueue:${userId}`

/** The last chosen queue, if it is one of the attendant's. */
function lastOf(userId: number, queues: { id: number }[]): string {
  const last = localStorage.getItem(keyOf(userId)) ?? ''
  return queues.some(({ id }) => String(id) === last) ? last : ''
}
