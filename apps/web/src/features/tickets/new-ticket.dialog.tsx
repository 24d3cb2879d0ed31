import { type Contact, contacts } from '@balcao/contract/contacts.ts'
import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import classes from './new-ticket.module.css'
import { useStartTicket } from './start-ticket.ts'
import { connectionChoices } from './tickets.api.ts'
import { ticketText } from './tickets.text.ts'

const PICKER_MIN = 2
const CREATE_MIN = 3

type Chosen = Pick<Contact, 'id' | 'name'>

/** Who to write to, in which queue, over which connection. `with`: whom one has chosen already. */
export default function NewTicketDialog({ with: given, onClose }: { with?: Chosen; onClose(): void }) {
  const t = ticketText()
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

function ContactPicker({
  contact,
  onPick,
}: {
  contact: Chosen | null
  onPick(contact: Chosen | null): void
}) {
  const t = ticketText()
  const [typed, setTyped] = useState('')
  const [term] = useDebouncedValue(typed.trim(), 500)
  const asked = term.length >= PICKER_MIN && !contact
  const { data, error } = useQuery({
    queryKey: ['contacts', 'pick', term],
    queryFn: () => call(contacts.list, { query: { searchParam: term } }),
    enabled: asked,
    staleTime: 10_000,
  })
  const [adding, setAdding] = useState(false)
  if (adding)
    return (
      <AddContact
        name={typed}
        onAdded={added => {
          setAdding(false)
          setTyped(added.name)
          onPick(added)
        }}
      />
    )
  return (
    <div>
      <TextInput
        label={t('contact')}
        placeholder={t('searchContact')}
        data-autofocus
        value={contact ? contact.name : typed}
        error={error ? t('contactsFailed') : undefined}
        onChange={event => {
          onPick(null)
          setTyped(event.currentTarget.value)
        }}
      />
      {asked && (
        <ul className={classes.found}>
          {data?.contacts.map(one => (
            <li key={one.id}>
              <button type="button" className={classes.option} onClick={() => onPick(one)}>
                <Avatar name={one.name} isGroup={one.isGroup} size={28} />
                <span className="one-line">{one.name}</span>
                <span className={classes.number}>{one.number}</span>
              </button>
            </li>
          ))}
          {typed.trim().length >= CREATE_MIN && data && (
            <li>
              <button type="button" className={classes.option} onClick={() => setAdding(true)}>
                {t('addContact', { text: typed.trim() })}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function AddContact({ name: typed, onAdded }: { name: string; onAdded(contact: Chosen): void }) {
  const t = ticketText()
  const digits = /^[+\d\s()-]+$/.test(typed)
  const [name, setName] = useState(digits ? '' : typed)
  const [number, setNumber] = useState(digits ? typed : '')
  const add = () => call(contacts.create, { body: { name, number } }).then(onAdded, notify.failed)
  return (
    <Stack gap={12}>
      <TextInput
        label={t('name')}
        value={name}
        data-autofocus
        onChange={event => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('number')}
        value={number}
        inputMode="tel"
        onChange={event => setNumber(event.currentTarget.value)}
      />
      <Button variant="default" onClick={() => void add()}>
        {t('addContact', { text: name || number })}
      </Button>
    </Stack>
  )
}
