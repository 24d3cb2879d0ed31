import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `npm run soak -- crash`: how the processes of the product fare in this run. Nothing of it without these variables. */
const { TEST_CLOCK, TEST_CPU, TEST_POOLER, TEST_DATABASE_URL } = process.env

/** What Node is given so that the clock of a process differs from the database's. */
export const clockArgs: string[] = TEST_CLOCK
  ? ['--import', new URL('./shifted-clock.ts', import.meta.url).href]
  : []
export const clockEnv: Record<string, string> = TEST_CLOCK ? { TEST_CLOCK } : {}

/** With a pooler before the server of the run; what a test puts before it, and users of its own, stay. */
export function pooled(env: Record<string, string>): Record<string, string> {
  if (!TEST_POOLER || !env.DATABASE_URL) return env
  const [direct, server, url] = [env.DATABASE_URL, TEST_DATABASE_URL!, env.DATABASE_URL].map(
    one => new URL(one),
  )
  if (direct!.host !== server!.host || direct!.username !== server!.username) return env
  url!.host = new URL(TEST_POOLER).host
  return { ...env, DATABASE_URL: url!.href, DATABASE_DIRECT_URL: direct!.href }
}

/** A period of the scheduler (ms), as of a container with a limit. */
const PERIOD_MS = 100

/**
 * Gives a process a share of a processor: it is stopped for the rest of each period. A process that stopped itself stays so
 * until it is woken (`wake` here, instead of SIGCONT).
 */
export function slowed(child: ChildProcess): { freeze(): void; wake(): void } {
  let isFrozen = false
  let isPaused = false
  if (TEST_CPU) {
    const runsMs = PERIOD_MS * Number(TEST_CPU)
    const period = setInterval(() => {
      if (isPaused) return
      isFrozen ||= isStopped(child.pid!)
      if (isFrozen) return
      isPaused = true
      child.kill('SIGSTOP')
      setTimeout(() => {
        isPaused = false
        if (!isFrozen) child.kill('SIGCONT')
      }, PERIOD_MS - runsMs)
    }, PERIOD_MS)
    child.once('exit', () => clearInterval(period))
  }
  return {
    freeze() {
      isFrozen = true
      child.kill('SIGSTOP')
    },
    wake() {
      isFrozen = false
      child.kill('SIGCONT')
    },
  }
}

function isStopped(pid: number): boolean {
  try {
    return / T \d+ /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))
  } catch {
    return false // it has ended, or this is not Linux
  }
}
