import { contacts } from '@balcao/contract/contacts.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { useActing } from '../../ui/acting.ts'
import type { Chosen } from './contact-picker.tsx'
import { useStartText } from './contacts.start.text.ts'
import NumberField from './number-field.tsx'
import { homeOf, numberToSend } from './phone.ts'

/** A new contact from what was typed: its name, or its number. */
export default function AddContact({
  name: typed,
  onAdded,
}: {
  name: string
  onAdded(contact: Chosen): void
}) {
  const t = useStartText()
  const digits = /^[+\d\s()-]+$/.test(typed)
  const [name, setName] = useState(digits ? '' : typed)
  const [number, setNumber] = useState(digits ? typed : '')
  const { busy, act } = useActing()
  const home = homeOf(useUser().company)
  const add = () =>
    act(() =>
      call(contacts.create, { body: { name, ...numberToSend(number, home) } }).then(onAdded, notify.failed),
    )
  return (
    <Stack gap={12}>
      <TextInput
        label={t('name')}
        value={name}
        autoFocus={digits}
        onChange={event => setName(event.currentTarget.value)}
      />
      <NumberField value={number} autoFocus={!digits} onChange={setNumber} />
      <Button variant="default" loading={busy} onClick={() => void add()}>
        {t('addContact', { text: name || number })}
      </Button>
    </Stack>
  )
}
