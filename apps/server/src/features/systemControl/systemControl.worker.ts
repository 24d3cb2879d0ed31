import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Role } from '../../platform/app.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { publishGap, screens } from '../../platform/live/live.ts'
import { VERSION } from '../../platform/observe/version.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { repeat } from '../../platform/work/repeat.ts'
import {
  endProcess,
  lockProcess,
  markDead,
  type ProcessMeasures,
  type ProcessSelf,
  replaceProcess,
  writeBeat,
} from './systemControl.queries.ts'

const BEAT_MS = 5_000
/** How often (ms) the delay of the event loop is sampled: each sample wakes the process. */
const RESOLUTION_MS = 100
/** How many processes of one kind may run on one host. */
const ALIKE = 64

/** The heartbeat of each process: every few seconds it writes that it runs, and its measures. */
export const heartbeat: Role = {
  name: 'any',
  async start({ config, instance, scopes, log, sockets, secrets }) {
    const platform = scopes.platform()
    const measured = startMeasuring()
    const { name, wasDead } = await claimName(platform, nameOf(config), { instance, keyId: secrets.keyId })
    // what a process committed just before it died was not pushed
    const notifyScreens = () => publishGap(sockets.push, screens)
    if (wasDead) notifyScreens()
    const beating = repeat(
      BEAT_MS,
      async () => {
        await platform.transaction(sql => writeBeat(sql, { name, instance }, measured()))
        if (await platform.transaction(markDead)) notifyScreens()
      },
      log,
    )
    beating.now()
    return {
      async stop() {
        await beating.stop()
        // a process that ends in order leaves its name to the next one, which does not count as a restart then
        await platform.transaction(sql => endProcess(sql, { name, instance })).catch(() => {})
      },
    }
  },
}

const nameOf = ({ roles }: Config) => `${[...roles].join('+')}@${hostname()}`

/** Claims the first name that no running process has; `wasDead`: its process died before, and is restarted now. */
async function claimName(
  platform: PlatformScope,
  base: string,
  self: Pick<ProcessSelf, 'instance'> & { keyId: string },
): Promise<{ name: string; wasDead: boolean }> {
  for (let number = 1; number <= ALIKE; number++) {
    const name = number === 1 ? base : `${base}#${number}`
    const claimed = await claim(platform, { name, ...self })
    if (claimed) return { name, ...claimed }
  }
  throw new Error(`more than ${ALIKE} processes are called ${base}`)
}

const claim = (
  platform: PlatformScope,
  self: ProcessSelf & { keyId: string },
): Promise<{ wasDead: boolean } | null> =>
  platform.transaction(async sql => {
    const before = await lockProcess(sql, self.name)
    if (before && !before.isEnded && !before.isLate && !hasDied(before)) return null
    const now = databaseTime()
    const place = { host: hostname(), pid: process.pid, version: VERSION, startedAt: now, beatAt: now }
    const isClaimed = await replaceProcess(
      sql,
      { ...self, ...place, isMissed: false },
      { isKnown: before !== null },
    )
    const wasDead = before !== null && !before.isEnded && !before.isMissed
    return isClaimed ? { wasDead } : null
  })

/** On this host the operating system knows. */
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

/** Answers the measures since the previous call. */
function startMeasuring(): () => ProcessMeasures {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let used = process.cpuUsage()
  let at = performance.now()
  return () => {
    const spent = process.cpuUsage(used)
    const now = performance.now()
    const cpu = (spent.user + spent.system) / 10 / Math.max(1, now - at)
    // the delay includes the interval of the samples
    const eventLoopDelay = Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION_MS)
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
