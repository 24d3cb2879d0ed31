import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Files } from './files.ts'
import type { Mail } from './mail.ts'
import type { Outbound } from './outbound.ts'
import { type Repeated, repeat } from './repeat.ts'
import type { Scopes } from './scope.ts'
import type { Secrets } from './secrets.ts'
import type { Signals } from './signals.ts'
import { newTrace, traced } from './trace.ts'

/**
 * Rows of a feature that wait for their time. Every worker looks for them each second, and at once when it is nudged
 * (`dueTopic`). `run` claims what is due so that no other worker does it too, a few at a time, and answers whether more
 * of it may wait.
 */
export interface Due {
  name: string
  run(tools: DueTools): Promise<boolean>
}

export interface DueTools {
  scopes: Scopes
  secrets: Secrets
  files: Files
  mail: Mail
  config: Config
  outbound: Outbound
  log: Logger
  stopping(): boolean
  /** What takes long goes on beside the looking, which begins again when it ended; a stop waits for it. */
  beside(work: () => Promise<unknown>): void
}

export const due = (name: string, run: Due['run']): Due => ({ name, run })

/** What wakes the workers before their second is over: for what is due at once. */
export const dueTopic = (name: string) => `due:${name}`

/** How often it is looked for. */
const LOOK_MS = 1_000

/** Looks until it is stopped; each name by itself, so that none waits for another. */
export function lookForDue(
  dues: Due[],
  given: Omit<DueTools, 'beside'>,
  signals: Signals,
): { stop(): Promise<void> } {
  const looking = dues.map(({ name, run }) => {
    const log = given.log.child({ due: name })
    const underWay = new Set<Promise<unknown>>()
    const beside = (work: () => Promise<unknown>) => {
      const one = traced(newTrace(), work)
        .catch(error => log.warn({ err: error }, 'what goes on beside failed this time'))
        .finally(() => {
          underWay.delete(one)
          if (!given.stopping()) repeated.now()
        })
      underWay.add(one)
    }
    const tools: DueTools = { ...given, beside }
    const look = async () => {
      while (!tools.stopping() && (await traced(newTrace(), () => run(tools))));
    }
    const repeated: Repeated = repeat(LOOK_MS, look, log)
    const deafen = signals.listen(dueTopic(name), repeated.now)
    repeated.now()
    return async () => {
      deafen()
      await repeated.stop()
      await Promise.all(underWay)
    }
  })
  return { stop: async () => void (await Promise.all(looking.map(stop => stop()))) }
}
