import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { type Chosen, ContactPicker } from './contact-picker.tsx'
import { useStartText } from './contacts.start.text.ts'
import { StartFields, useStartFields } from './start-fields.tsx'
import { useStartTicket } from './start-ticket.ts'

/** A new conversation: contact, queue, connection. `with`: a contact chosen already. */
export default function NewTicketDialog({ with: given, onClose }: { with?: Chosen; onClose(): void }) {
  const t = useStartText()
  const [contact, setContact] = useState<Chosen | null>(given ?? null)
  const fields = useStartFields()
  const { start, busy } = useStartTicket(onClose)

  return (
    <Dialog title={t('newTicket')} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (contact) void start({ contact, queueId: fields.queueId, whatsappId: fields.whatsappId })
        }}
      >
        <Stack gap={12}>
          <ContactPicker contact={contact} onPick={setContact} />
          <StartFields {...fields} />
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
