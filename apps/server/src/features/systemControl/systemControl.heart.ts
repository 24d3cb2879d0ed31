import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Role } from '../../platform/app.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db.ts'
import { repeat } from '../../platform/repeat.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { and, eq, lt, sql as tag } from '../../platform/sql.ts'
import { VERSION } from '../../platform/version.ts'
import { DEAD_AFTER, ENDED } from './systemControl.queries.ts'
import { processes } from './systemControl.table.ts'

const BEAT_MS = 5_000
/** A process that was not heard of for so long is not shown any more. */
const FORGOTTEN_AFTER = tag`interval '1 day'`
/** So many of one kind may run on one host. */
const ALIKE = 64

/** Each process says every few seconds that it lives, and how. */
export const heart: Role = {
  name: 'any',
  async start({ config, instance, scopes, log }) {
    const platform = scopes.platform()
    const measured = startMeasuring()
    const name = await takeName(platform, nameOf(config), instance)
    const beating = repeat(BEAT_MS, () => beat(platform, { name, instance }, measured()), log)
    beating.now()
    return {
      async stop() {
        await beating.stop()
        // who ends as he was told to leaves his name to the next, who was not started anew then
        const ended = (sql: Sql) =>
          sql.update(processes).set({ instance: ENDED }).where(itself({ name, instance }))
        await platform.transaction(ended).catch(() => {})
      },
    }
  },
}

const nameOf = ({ roles }: Config) => `${[...roles].join('+')}@${hostname()}`

interface Self {
  name: string
  instance: string
}

const itself = ({ name, instance }: Self) => and(eq(processes.name, name), eq(processes.instance, instance))

/** The first name that no living process has: whoever died had it before, and was started anew. */
async function takeName(platform: PlatformScope, base: string, instance: string): Promise<string> {
  for (let number = 1; number <= ALIKE; number++) {
    const name = number === 1 ? base : `${base}#${number}`
    if (await take(platform, { name, instance })) return name
  }
  throw new Error(`more than ${ALIKE} processes are called ${base}`)
}

const take = (platform: PlatformScope, self: Self): Promise<boolean> =>
  platform.transaction(async sql => {
    const now = new Date().toISOString()
    const fresh = {
      ...self,
      host: hostname(),
      pid: process.pid,
      version: VERSION,
      startedAt: now,
      beatAt: now,
    }
    const [before] = await sql
      .select({
        instance: processes.instance,
        host: processes.host,
        pid: processes.pid,
        isLate: tag<boolean>`${processes.beatAt} < now() - ${DEAD_AFTER}`,
      })
      .from(processes)
      .where(eq(processes.name, self.name))
      .for('update')
    if (before && before.instance !== ENDED && !before.isLate && !hasDied(before)) return false
    const taken = await sql
      .insert(processes)
      .values(fresh)
      .onConflictDoUpdate({
        target: processes.name,
        set: { ...fresh, restarts: tag`${processes.restarts} + (${processes.instance} <> ${ENDED})::int` },
        setWhere: before ? tag`true` : tag`false`,
      })
      .returning({ name: processes.name })
    return taken.length > 0
  })

/** On this host the system itself knows. */
function hasDied({ host, pid }: { host: string; pid: number }) {
  if (host !== hostname()) return false
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

interface Measures {
  cpu: number
  memory: number
  eventLoopDelay: number
}

const beat = (platform: PlatformScope, self: Self, measures: Measures) =>
  platform.transaction(async sql => {
    await sql
      .update(processes)
      .set({ ...measures, beatAt: new Date().toISOString() })
      .where(itself(self))
    await sql.delete(processes).where(lt(processes.beatAt, tag`now() - ${FORGOTTEN_AFTER}`))
  })

/** Answers what was used since it was asked before. */
function startMeasuring(): () => Measures {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let used = process.cpuUsage()
  let at = performance.now()
  return () => {
    const spent = process.cpuUsage(used)
    const now = performance.now()
    const cpu = (spent.user + spent.system) / 10 / Math.max(1, now - at)
    const eventLoopDelay = delays.percentile(99) / 1e6
    delays.reset()
    used = process.cpuUsage()
    at = now
    return {
      cpu,
      eventLoopDelay: Number.isFinite(eventLoopDelay) ? eventLoopDelay : 0,
      memory: process.memoryUsage.rss(),
    }
  }
}
