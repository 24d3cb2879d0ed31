import { type Contact, contacts } from '@balcao/contract/contacts.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { composeText } from './messages.compose.text.ts'
import { sendKnown } from './messages.send.ts'
import classes from './send.module.css'

const MOST = 20

interface Props {
  ticket: Ticket
  quoted: Message | null
  onSent(): void
  onClose(): void
}

/** Chooses contacts of the company; the customer gets their cards. */
export default function SendContactsDialog({ ticket, quoted, onSent, onClose }: Props) {
  const t = composeText()
  const viewer = useViewer()
  const [typed, setTyped] = useState('')
  const [searchParam] = useDebouncedValue(typed.trim(), 300)
  const [chosen, setChosen] = useState<Contact[]>([])
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: ['contacts', 'cards', searchParam],
    queryFn: () => call(contacts.list, { query: { searchParam } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const withNumber = data?.contacts.filter(({ number, isGroup }) => number !== '' && !isGroup) ?? []
  const shown = [...chosen, ...withNumber.filter(one => !chosen.some(({ id }) => id === one.id))]
  const toggle = (contact: Contact, on: boolean) =>
    setChosen(now => (on ? [...now, contact] : now.filter(({ id }) => id !== contact.id)))
  const send = async () => {
    setBusy(true)
    const sent = sendKnown(ticket, viewer, { contactIds: chosen.map(({ id }) => id) }, quoted)
    await sent.then(() => {
      onSent()
      onClose()
    }, notify.failed)
    setBusy(false)
  }
  return (
    <Dialog title={t('contact')} onClose={onClose}>
      <TextInput
        data-autofocus
        label={t('searchContact')}
        value={typed}
        maxLength={100}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {data && shown.length === 0 && (
        <p className={classes.note} role="status">
          {t('noneFound')}
        </p>
      )}
      <ul className={classes.contacts}>
        {shown.map(contact => {
          const on = chosen.some(({ id }) => id === contact.id)
          return (
            <li key={contact.id}>
              <label htmlFor={`contact-${contact.id}`}>
                <Checkbox
                  id={`contact-${contact.id}`}
                  checked={on}
                  disabled={!on && chosen.length >= MOST}
                  onChange={event => toggle(contact, event.currentTarget.checked)}
                />
                <Avatar name={contact.name} size={28} />
                <span className="one-line">{contact.name}</span>
                <span className={classes.number}>{contact.number}</span>
              </label>
            </li>
          )
        })}
      </ul>
      <DialogActions onClose={onClose}>
        <Button disabled={chosen.length === 0} loading={busy} onClick={() => void send()}>
          {t('sendContacts', { count: Math.max(1, chosen.length) })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
