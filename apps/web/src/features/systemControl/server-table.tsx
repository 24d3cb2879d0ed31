import type { ServerStatus } from '@balcao/contract/systemControl.ts'
import { Button } from '@mantine/core'
import { IconMail, IconPlugConnected } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import classes from './system.module.css'
import { sendTestMail, serverList } from './systemControl.api.ts'
import { useSystemText } from './systemControl.text.ts'

const tones: Record<ServerStatus['state'], Tone> = {
  up: 'success',
  down: 'error',
  full: 'error',
  unset: 'neutral',
  unknown: 'neutral',
}

/** Where files, letters and events go, and whether these servers answer; a letter shows that they do. */
export function ServerTable() {
  const t = useSystemText()
  const { rows, ...list } = wholeList(useQuery(serverList))
  const columns: Column<ServerStatus & { id: string }>[] = [
    { key: 'name', head: t('name'), cell: one => t(one.name) },
    { key: 'place', head: t('place'), cell: one => one.place },
    {
      key: 'state',
      head: t('state'),
      cell: one => <Status tone={tones[one.state]}>{t(one.state)}</Status>,
    },
    { key: 'since', head: t('since'), cell: one => one.since && clock(one.since).format('L LT') },
    { key: 'why', head: t('why'), cell: one => one.why },
  ]
  return (
    <>
      <ListTable
        label={t('servers')}
        columns={columns}
        list={{ ...list, rows: rows.map(one => ({ ...one, id: one.name })) }}
        icon={IconPlugConnected}
        none={t('unset')}
      />
      <TestMail isSetUp={rows.some(({ name, state }) => name === 'mail' && state !== 'unset')} />
    </>
  )
}

function TestMail({ isSetUp }: { isSetUp: boolean }) {
  const t = useSystemText()
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)
  const send = () => {
    setSending(true)
    void sendTestMail()
      .then(({ to }) => notify.done(t('testMailSent', { to })), notify.failed)
      .then(() => client.invalidateQueries({ queryKey: serverList.queryKey }))
      .finally(() => setSending(false))
  }
  return (
    <Button
      className={classes.below}
      variant="default"
      leftSection={<IconMail size={16} />}
      disabled={!isSetUp}
      loading={isSending}
      onClick={send}
    >
      {t('testMail')}
    </Button>
  )
}
