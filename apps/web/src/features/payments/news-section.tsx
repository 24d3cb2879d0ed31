import type { ProviderNews } from '@balcao/contract/payments.ts'
import { Box } from '@mantine/core'
import { IconBell, IconCheck } from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { newsList, readNews } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'

/** What payment providers reported and no master has read; nothing where there is none. */
export function NewsSection() {
  const t = usePaymentText()
  const list = useSearchedList(newsList, '')
  if (list.rows.length === 0) return null
  return (
    <Box mb="lg">
      <FieldSection legend={t('news')}>
        <Table
          label={t('news')}
          columns={columnsOf(t)}
          rows={list.rows}
          keyOf={({ id }) => id}
          paging={list}
          empty={<Empty icon={<IconBell size={26} />} title={t('noNews')} />}
        />
      </FieldSection>
    </Box>
  )
}

const columnsOf = (t: typeof usePaymentText.read): Column<ProviderNews>[] => [
  {
    key: 'news',
    head: t('newsWhat'),
    kind: 'name',
    cell: ({ kind, event, detail }) => (
      <span>
        {t(`news${kind}`)}{' '}
        <small>
          {event} {detail}
        </small>
      </span>
    ),
  },
  { key: 'company', head: t('company'), cell: ({ companyName }) => companyName },
  {
    key: 'subject',
    head: t('newsSubject'),
    cell: ({ provider, subject }) => (
      <>
        {provider} <small>{subject}</small>
      </>
    ),
  },
  {
    key: 'at',
    head: t('newsAt'),
    cell: ({ at, times }) =>
      times === 1
        ? shownTime(at).format('L LT')
        : t('newsTimes', { at: shownTime(at).format('L LT'), times }),
  },
  { key: 'actions', head: '', kind: 'actions', cell: one => <Read news={one} /> },
]

function Read({ news: { id, event } }: { news: ProviderNews }) {
  const t = usePaymentText()
  return (
    <IconButton
      label={t('newsRead', { event })}
      onClick={() => void readNews(id).then(() => notify.done(t('newsWasRead')), notify.failed)}
    >
      <IconCheck size={18} stroke={1.75} />
    </IconButton>
  )
}
