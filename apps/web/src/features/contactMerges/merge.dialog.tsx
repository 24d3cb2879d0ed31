import type { KeptSides, MergePreview } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { PICKER_MIN } from '../../platform/typing.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { RowPicker } from '../../ui/row-picker.tsx'
import { contactsToMerge, mergeContacts, previewOptions } from './contactMerges.api.ts'
import { useMergeText } from './contactMerges.text.ts'
import { SideChoice } from './side-choice.tsx'

type Person = Pick<Contact, 'id' | 'name'>

/** Two contacts, what stays of each, and what moves. */
export default function MergeDialog(props: { contact: Person; other?: Person; onClose(): void }) {
  const { contact, onClose } = props
  const t = useMergeText()
  const [other, setOther] = useState<Person | null>(props.other ?? null)
  const [keep, setKeep] = useState(AT_FIRST)
  const [busy, setBusy] = useState(false)
  const { data: preview, error } = useQuery({
    ...previewOptions(contact.id, other?.id ?? 0),
    enabled: other !== null && other.id !== contact.id,
  })
  const merge = () => {
    setBusy(true)
    return mergeContacts(contact.id, other!.id, keep)
      .then(onClose, notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={t('title')} onClose={onClose} size={720}>
      <Stack gap={16}>
        <Text fw={600}>{contact.name}</Text>
        <RowPicker
          label={t('other')}
          placeholder={t('search')}
          list={contactsToMerge}
          minimum={PICKER_MIN}
          failed={t('failed')}
          hint={one => (one.number ? phoneText(one.number) : one.username ? `@${one.username}` : one.lid)}
          value={other}
          onPick={setOther}
        />
        {error && <Text role="alert">{t('failed')}</Text>}
        {other && preview && (
          <>
            <SideChoice preview={preview} keep={keep} onChange={setKeep} />
            <Moves preview={preview} />
          </>
        )}
      </Stack>
      <DialogActions onClose={onClose}>
        <Button disabled={!preview || !other} loading={busy} onClick={() => void merge()}>
          {t('merge')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const AT_FIRST: KeptSides = {
  name: 'into',
  number: 'into',
  email: 'into',
  extraInfo: 'both',
  categories: 'both',
}

function Moves({ preview: { tickets, messages, files, ends } }: { preview: MergePreview }) {
  const t = useMergeText()
  const what = [
    t('tickets', { count: tickets }),
    t('messages', { count: messages }),
    t('files', { count: files }),
  ]
  return (
    <Stack gap={4}>
      <Text fw={600}>{t('moves')}</Text>
      <Text>{what.join(' · ')}</Text>
      {ends.map(one => (
        <Text key={one.closes}>{t('ends', one)}</Text>
      ))}
      <Text size="sm" c="dimmed">
        {t('canUndo')}
      </Text>
    </Stack>
  )
}
