import type { ProcessData } from '@balcao/contract/systemControl.ts'
import type { Sql } from '../../platform/db.ts'
import { asc, ne, sql as tag } from '../../platform/sql.ts'
import { processes } from './systemControl.table.ts'

/** A process beats every five seconds. */
export const DEAD_AFTER = tag`interval '20 seconds'`

/** The instance of a name whose process ended as it was told to. */
export const ENDED = ''

/** Every process of the last day by its name, with the connections that it runs. */
export async function listProcesses(sql: Sql): Promise<ProcessData[]> {
  const rows = await sql
    .select({
      name: processes.name,
      cpu: processes.cpu,
      memory: processes.memory,
      startedAt: processes.startedAt,
      restarts: processes.restarts,
      pid: processes.pid,
      version: processes.version,
      eventLoopDelay: processes.eventLoopDelay,
      beatAt: processes.beatAt,
      isAlive: tag<boolean>`${processes.beatAt} > now() - ${DEAD_AFTER}`,
      sessions: tag<number>`(select count(*)::int from whatsapp_leases l
        where l.owner = ${processes.instance} and l.expires_at > now())`,
    })
    .from(processes)
    .where(ne(processes.instance, ENDED))
    .orderBy(asc(processes.name))
  return rows.map(({ cpu, memory, startedAt, restarts, eventLoopDelay, ...row }) => ({
    ...row,
    monit: { cpu: tenths(cpu), memory },
    pm_uptime: Date.parse(startedAt),
    restart_time: restarts,
    eventLoopDelay: tenths(eventLoopDelay),
  }))
}

const tenths = (value: number) => Math.round(value * 10) / 10
