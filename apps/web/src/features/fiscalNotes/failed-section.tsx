import type { FailedNote } from '@balcao/contract/fiscalNotes.ts'
import { Box } from '@mantine/core'
import { IconFileX, IconRefresh, IconX } from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { dismissNote, failedNotes, issueAgain } from './fiscalNotes.api.ts'
import { useFiscalText } from './fiscalNotes.text.ts'

/** Fiscal notes that were refused: a master issues each again, or does without it; nothing where there are none. */
export function FailedSection() {
  const t = useFiscalText()
  const list = useSearchedList(failedNotes, '')
  if (list.rows.length === 0) return null
  return (
    <Box mb="lg">
      <FieldSection legend={t('failed')}>
        <Table
          label={t('failed')}
          columns={columnsOf(t)}
          rows={list.rows}
          keyOf={({ companyId, id }) => `${companyId} ${id}`}
          paging={list}
          empty={<Empty icon={<IconFileX size={26} />} title={t('none')} />}
        />
      </FieldSection>
    </Box>
  )
}

const columnsOf = (t: typeof useFiscalText.read): Column<FailedNote>[] => [
  { key: 'company', head: t('company'), kind: 'name', cell: one => one.companyName },
  { key: 'value', head: t('value'), kind: 'number', cell: one => one.valueBrl },
  { key: 'paidOn', head: t('paidOn'), cell: one => shownTime(one.paidOn).format('L') },
  { key: 'problem', head: t('problem'), cell: one => one.problem },
  { key: 'actions', head: '', kind: 'actions', cell: one => <Actions note={one} /> },
]

function Actions({ note }: { note: FailedNote }) {
  const t = useFiscalText()
  const named = { company: note.companyName, value: note.valueBrl }
  return (
    <>
      <IconButton
        label={t('againNamed', named)}
        onClick={() => void issueAgain(note).then(() => notify.done(t('asked')), notify.failed)}
      >
        <IconRefresh size={18} stroke={1.75} />
      </IconButton>
      <IconButton
        label={t('dismissNamed', named)}
        onClick={() => void dismissNote(note).then(() => notify.done(t('dismissed')), notify.failed)}
      >
        <IconX size={18} stroke={1.75} />
      </IconButton>
    </>
  )
}
