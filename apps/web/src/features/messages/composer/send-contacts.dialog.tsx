import type { Contact } from '@balcao/contract/contacts.ts'
import type { CardData } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { phoneText } from '../../../platform/phone.ts'
import { useViewer } from '../../../platform/session.tsx'
import { PICKER_MIN } from '../../../platform/typing.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useLoadOn } from '../../../ui/list-screen/load-on.ts'
import { useList } from '../../../ui/list-screen/use-list.ts'
import { contactList } from '../../contacts/contacts.api.ts'
import { sendKnown } from '../sending/send.ts'
import { useDialogText } from './composer.dialogs.text.ts'
import { useComposeText } from './composer.text.ts'
import classes from './send.module.css'

const MOST = 20

interface Props {
  ticket: Ticket
  quoted: Message | null
  onSent(): void
  onClose(): void
}

/** Chooses contacts of the company and sends their cards. */
export default function SendContactsDialog({ ticket, quoted, onSent, onClose }: Props) {
  const t = useComposeText()
  const d = useDialogText()
  const viewer = useViewer()
  const list = useList(contactList, { minimum: PICKER_MIN, begun: '' })
  const scroller = useLoadOn<HTMLUListElement>(list)
  const [chosen, setChosen] = useState<Contact[]>([])
  const withNumber = list.rows.filter(({ number, isGroup }) => number !== '' && !isGroup)
  const shown = [...chosen, ...withNumber.filter(one => !chosen.some(({ id }) => id === one.id))]
  const toggle = (contact: Contact, on: boolean) =>
    setChosen(now => (on ? [...now, contact] : now.filter(({ id }) => id !== contact.id)))
  const send = () => {
    const cards: z.infer<typeof CardData> = {
      contacts: chosen.map(({ name, number }) => ({ name, phones: [{ number, onWhatsApp: true }] })),
    }
    sendKnown(ticket, viewer, { contactIds: chosen.map(({ id }) => id) }, cards, quoted)
    onSent()
    onClose()
  }
  return (
    <Dialog title={t('contact')} onClose={onClose}>
      <TextInput
        data-autofocus
        label={d('searchContact')}
        value={list.typed}
        maxLength={100}
        onChange={event => list.type(event.currentTarget.value)}
      />
      {!list.isPending && shown.length === 0 && (
        <p className={classes.note} role="status">
          {d('noneFound')}
        </p>
      )}
      <ul {...scroller} className={classes.contacts}>
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
                <span className={classes.number}>{phoneText(contact.number)}</span>
              </label>
            </li>
          )
        })}
      </ul>
      <DialogActions onClose={onClose}>
        <Button disabled={chosen.length === 0} onClick={send}>
          {chosen.length > 0 ? d('sendContacts', { count: chosen.length }) : d('sendThis')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
