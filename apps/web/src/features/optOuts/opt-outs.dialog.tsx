import type { OptOut } from '@balcao/contract/optOuts.ts'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconUserOff } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { useMay } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { optOut, optOutList, removeOptOut } from './optOuts.api.ts'
import classes from './optOuts.module.css'
import { useOptOutText } from './optOuts.text.ts'
import { StopWords } from './stop-words.tsx'

/** Numbers without campaigns: added here, and removed again. */
export function OptOutsDialog({ onClose }: { onClose(): void }) {
  const t = useOptOutText()
  const mayDelete = useMay('optOuts:delete')
  const whyNot = mayDelete ? undefined : t('removeByRight')
  const list = useList(optOutList, { begun: '' })
  const mayAdminister = useMay('administration')
  return (
    <Dialog title={t('title')} size={720} onClose={onClose}>
      <Stack gap={16}>
        {mayAdminister && <StopWords />}
        <AddNumber />
        <div className={classes.list}>
          <Table
            label={t('title')}
            columns={columnsOf(t, whyNot)}
            rows={list.rows}
            keyOf={one => one.id}
            paging={list}
            empty={<Empty icon={<IconUserOff size={26} />} title={t('none')} />}
          />
        </div>
      </Stack>
    </Dialog>
  )
}

/** The number of a removed contact is not readable any more. */
const namesBy =
  (t: ReturnType<typeof useOptOutText>) =>
  ({ contact, number }: OptOut) =>
    contact?.name ?? (number ? phoneText(number) : t('forgotten'))

const columnsOf = (t: ReturnType<typeof useOptOutText>, whyNot: string | undefined): Column<OptOut>[] => [
  { key: 'who', head: t('who'), kind: 'name', cell: namesBy(t) },
  {
    key: 'how',
    head: t('how'),
    cell: ({ source, word, user }) =>
      source === 'whatsapp'
        ? t('stopped')
        : source === 'word'
          ? t('wrote', { word })
          : t('noted', { name: user?.name ?? t('somebody') }),
  },
  { key: 'since', head: t('since'), cell: one => clock(one.createdAt).format('L LT') },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => (
      <IconButton
        label={whyNot ?? t('removeOf', { name: namesBy(t)(one) })}
        disabled={Boolean(whyNot)}
        onClick={() => void removeOptOut(one.id).then(() => notify.done(t('removed')), notify.failed)}
      >
        <IconArrowBackUp size={18} stroke={1.75} />
      </IconButton>
    ),
  },
]

function AddNumber() {
  const t = useOptOutText()
  const [number, setNumber] = useState('')
  useUnsaved(number !== '')
  async function add(event: FormEvent) {
    event.preventDefault()
    try {
      await optOut(number)
      notify.done(t('added'))
      setNumber('')
    } catch (error) {
      notify.failed(error)
    }
  }
  return (
    <form onSubmit={event => void add(event)}>
      <Group align="flex-end" gap={8}>
        <TextInput
          type="tel"
          label={t('number')}
          maxLength={30}
          value={number}
          onChange={event => setNumber(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={number.trim() === ''}>
          {t('add')}
        </Button>
      </Group>
    </form>
  )
}
