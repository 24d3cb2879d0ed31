import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { type Chosen, ContactPicker } from './contact-picker.tsx'
import { useStartTicket } from './start-ticket.ts'
import { connectionChoices } from './tickets.api.ts'
import { useTicketText } from './tickets.text.ts'

/** Who to write to, in which queue, over which connection. `with`: whom one has chosen already. */
export default function NewTicketDialog({ with: given, onClose }: { with?: Chosen; onClose(): void }) {
  const t = useTicketText()
  const { queues } = useUser()
  const [contact, setContact] = useState<Chosen | null>(given ?? null)
  const [queueId, setQueueId] = useState(queues.length === 1 ? String(queues[0]!.id) : '')
  const [whatsappId, setWhatsappId] = useState('')
  const { data: connections = [] } = useQuery(connectionChoices)
  const { start, busy } = useStartTicket(onClose)

  return (
    <Dialog title={t('newTicket')} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (contact)
            void start({ contact, queueId: Number(queueId) || null, whatsappId: Number(whatsappId) || null })
        }}
      >
        <Stack gap={12}>
          <ContactPicker contact={contact} onPick={setContact} />
          <NativeSelect
            label={t('queue')}
            value={queueId}
            onChange={event => setQueueId(event.currentTarget.value)}
            data={[
              { value: '', label: t('chooseQueue') },
              ...queues.map(queue => ({ value: String(queue.id), label: queue.name })),
            ]}
          />
          <NativeSelect
            label={t('connection')}
            value={whatsappId}
            onChange={event => setWhatsappId(event.currentTarget.value)}
            data={[
              { value: '', label: t('defaultConnection') },
              ...connections.map(one => ({ value: String(one.id), label: one.name })),
            ]}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!contact} loading={busy}>
            {t('start')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
