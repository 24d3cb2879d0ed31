import type { ProcessData } from '@balcao/contract/systemControl.ts'
import { IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Gauge } from './gauge.tsx'
import { processList } from './systemControl.api.ts'
import { percent, sizeOf, spanOf } from './systemControl.shown.ts'
import { useSystemText } from './systemControl.text.ts'

const MIB = 1024 ** 2
/** What a full ring is (SYS-010). */
const FULL_MEMORY_MIB = 2048
const FULL_CPU = 100

/** Every process of the installation, as it reports itself. */
export function ProcessTable() {
  const t = useSystemText()
  const { rows, ...list } = wholeList(useQuery(processList))
  const columns: Column<ProcessData & { id: string }>[] = [
    { key: 'name', head: t('name'), cell: one => <Name process={one} /> },
    {
      key: 'cpu',
      head: t('cpu'),
      cell: ({ monit }) => (
        <Gauge label={t('cpu')} value={monit.cpu} max={FULL_CPU} shown={percent(monit.cpu)} />
      ),
    },
    {
      key: 'memory',
      head: t('memory'),
      cell: ({ monit }) => (
        <Gauge
          label={t('memory')}
          value={monit.memory / MIB}
          max={FULL_MEMORY_MIB}
          shown={sizeOf(monit.memory)}
        />
      ),
    },
    { key: 'uptime', head: t('uptime'), cell: one => spanOf(Date.now() - one.pm_uptime) },
    { key: 'restarts', head: t('restarts'), kind: 'number', cell: one => one.restart_time },
    { key: 'sessions', head: t('sessions'), kind: 'number', cell: one => one.sessions },
    { key: 'delay', head: t('delay'), kind: 'number', cell: one => `${Math.round(one.eventLoopDelay)} ms` },
    { key: 'version', head: t('version'), cell: one => one.version },
  ]
  return (
    <ListTable
      label={t('processes')}
      columns={columns}
      list={{ ...list, rows: rows.map(one => ({ ...one, id: one.name })) }}
      icon={IconServer}
      none={t('noProcess')}
    />
  )
}

function Name({ process: { name, isAlive } }: { process: ProcessData }) {
  const t = useSystemText()
  return (
    <>
      {name} <Status tone={isAlive ? 'success' : 'error'}>{t(isAlive ? 'alive' : 'silent')}</Status>
    </>
  )
}
