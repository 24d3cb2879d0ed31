import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { isAtWork } from '../companies/companies.status.queries.ts'
import { whatsappLeases, whatsapps } from './connections.table.ts'

interface Row {
  status: string
  lib: string
  all: number
  /** They ought to be connected: of a company at work, and not switched off. */
  missing: number
  unowned: number
}

/** Connections by state, and those that ought to work and do not. */
export const connectionFigures = figures(
  'connections',
  {
    balcao_connections: ['Connections by state and kind', 'state', 'lib'],
    balcao_connections_down: ['Connections that are switched on and not connected'],
    balcao_connections_unowned: ['Connections that are switched on and that no process runs'],
  },
  async sql => {
    const isWanted = tag`${whatsapps.wanted} = 'on' and ${whatsapps.restingSince} is null
      and ${isAtWork(whatsapps.companyId)}`
    const rows = await rowsFrom<Row>(
      sql,
      tag`select ${whatsapps.status}, ${whatsapps.lib}, count(*)::int as all,
        (count(*) filter (where ${isWanted} and ${whatsapps.status} <> 'CONNECTED'))::int as missing,
        (count(*) filter (where ${isWanted} and not exists (select from ${whatsappLeases}
          where ${whatsappLeases.companyId} = ${whatsapps.companyId}
            and ${whatsappLeases.whatsappId} = ${whatsapps.id} and ${whatsappLeases.expiresAt} > now())))::int as unowned
        from ${whatsapps} group by 1, 2`,
    )
    const sum = (of: 'missing' | 'unowned') => rows.reduce((total, row) => total + row[of], 0)
    return [
      ...rows.map(({ status, lib, all }) => ({
        metric: 'balcao_connections',
        value: all,
        labels: { state: status, lib },
      })),
      { metric: 'balcao_connections_down', value: sum('missing') },
      { metric: 'balcao_connections_unowned', value: sum('unowned') },
    ]
  },
)
