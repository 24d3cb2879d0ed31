import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconListSearch, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { TYPING_MS } from '../../platform/typing.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { LogDetail } from './log-detail.tsx'
import { LogTable } from './log-table.tsx'
import classes from './message-logs.module.css'
import { logPages, removeAll, reprocessRecent } from './messageLogs.api.ts'
import { followLogs } from './messageLogs.live.ts'
import { useMessageLogText } from './messageLogs.text.ts'

/** Raw events received by every connection, for the operator of the platform. */
export default function MessageLogsScreen() {
  const t = useMessageLogText()
  const [words, setWords] = useState('')
  const [unknown, setUnknown] = useState(false)
  const [warning, setWarning] = useState(false)
  const [searchParam] = useDebouncedValue(words.trim(), TYPING_MS)
  const [openId, setOpenId] = useState<number | null>(null)
  const [asking, setAsking] = useState(false)
  useEffect(followLogs, [])
  const query = useInfiniteQuery(logPages({ searchParam, unknown, warning }))
  const logs: RawMessageLog[] = query.data?.pages.flatMap(page => page.messagesBruteLogs) ?? []
  const open = logs.find(one => one.id === openId)
  const again = () => reprocessRecent().then(() => notify.done(t('recentBegun')), notify.failed)
  const empty = () =>
    removeAll()
      .catch(notify.failed)
      .then(() => setAsking(false))

  return (
    <Page
      title={t('logs')}
      actions={
        <>
          <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => void again()}>
            {t('recent')}
          </Button>
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
            {t('removeAll')}
          </Button>
        </>
      }
    >
      <div className={classes.filter}>
        <TextInput
          className={classes.search}
          aria-label={t('search')}
          placeholder={t('search')}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        <Checkbox
          label={t('unknown')}
          checked={unknown}
          onChange={event => setUnknown(event.currentTarget.checked)}
        />
        <Checkbox
          label={t('warning')}
          checked={warning}
          onChange={event => setWarning(event.currentTarget.checked)}
        />
      </div>
      <LogTable
        logs={logs}
        paging={query}
        onOpen={log => setOpenId(log.id)}
        empty={
          <Empty icon={<IconListSearch size={26} />} title={t('none')}>
            {t('noneHint')}
          </Empty>
        }
      />
      {open && <LogDetail log={open} onBack={() => setOpenId(null)} />}
      {asking && (
        <Confirm
          title={t('removeAllTitle')}
          confirm={t('removeAll')}
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => void empty()}
        >
          {t('removeAllHint')}
        </Confirm>
      )}
    </Page>
  )
}
