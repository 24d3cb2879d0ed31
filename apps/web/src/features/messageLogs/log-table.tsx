import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { ReactNode } from 'react'
import { clock } from '../../platform/time.ts'
import type { Paging } from '../../ui/list-screen/load-on.ts'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import classes from './message-logs.module.css'
import { useMessageLogText } from './messageLogs.text.ts'

interface Props {
  logs: RawMessageLog[]
  paging: Paging
  empty: ReactNode
  onOpen(log: RawMessageLog): void
}

export function LogTable({ logs, paging, empty, onOpen }: Props) {
  const t = useMessageLogText()
  const columns: Column<RawMessageLog>[] = [
    {
      key: 'date',
      head: t('date'),
      cell: log => (
        <button type="button" className={classes.open} title={t('open')} onClick={() => onOpen(log)}>
          {clock(log.createdAt).format('L LTS')}
        </button>
      ),
    },
    { key: 'spent', head: t('spent'), kind: 'number', cell: log => `${log.details1} ms` },
    { key: 'ticket', head: t('ticket'), cell: log => <TicketOf ticketId={log.ticketId} /> },
    {
      key: 'address',
      head: t('address'),
      cell: log => (
        <span className={classes.address}>
          {log.remoteJid}
          <small>{log.messageId}</small>
        </span>
      ),
    },
    { key: 'company', head: t('company'), kind: 'number', cell: log => log.companyId },
    { key: 'connection', head: t('connection'), kind: 'number', cell: log => log.whatsappId },
    { key: 'type', head: t('type'), cell: log => log.type },
    {
      key: 'body',
      head: t('body'),
      cell: log => log.details0 && <span className={classes.body}>{log.details0}</span>,
    },
    { key: 'id', head: 'id', kind: 'number', cell: log => log.id },
  ]
  return (
    <Table
      label={t('logs')}
      columns={columns}
      rows={logs}
      keyOf={log => log.id}
      paging={paging}
      empty={empty}
      onOpen={onOpen}
      mark={log => ({ 'data-log': log.messageId })}
    />
  )
}

/** Negative: handling it failed; none: nothing could be made of it. */
function TicketOf({ ticketId }: { ticketId: number | null }) {
  const t = useMessageLogText()
  if (ticketId === null) return <Status tone="info">{t('unknown')}</Status>
  if (ticketId < 0)
    return (
      <Status tone="warning">
        {t('warning')} {-ticketId}
      </Status>
    )
  return ticketId
}
