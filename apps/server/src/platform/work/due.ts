import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.ts'
import type { Config } from '../config.ts'
import { isConnectionFailure } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { Signals } from '../live/signals.ts'
import type { HasMemory } from '../memory.ts'
import { newTrace, traced } from '../observe/trace.ts'
import type { Mail } from '../outbound/mail.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Sql } from '../postgres/db.ts'
import { prepared } from '../postgres/prepared.ts'
import { exists, type SQLWrapper, sql as tag } from '../postgres/sql.ts'
import type { Scopes } from '../scope.ts'
import { type Repeated, repeat, whenAsked } from './repeat.ts'

/**
 * Rows of a feature that wait for their time. Every worker asks for them each second, for all kinds by one statement, and
 * looks at once after a signal (`dueTopic`). `run` claims what is due so that no other worker does it too, a few at a
 * time, and answers whether more of it may wait.
 */
export interface Due {
  kind: 'due'
  name: string
  run(tools: DueTools): Promise<boolean>
  /** What `run` would find, one row of each kind: by the clock of the database, since the statements are made once. */
  finds: Find[]
}

export type Find = (sql: Sql, config: Config) => SQLWrapper

export interface DueTools extends HasMemory {
  scopes: Scopes
  secrets: Secrets
  files: Files
  mail: Mail
  config: Config
  outbound: Outbound
  log: Logger
  stopping(): boolean
  /** Long work runs in the background; the next look begins when it ended, and a stop waits for it. */
  beside(work: () => Promise<unknown>): void
}

export const due = (name: string, run: Due['run'], ...finds: [Find, ...Find[]]): Due => ({
  kind: 'due',
  name,
  run,
  finds,
})

/** What wakes the workers before their second is over: for what is due at once. */
export const dueTopic = (name: string) => `due:${name}`

/** How often it is looked for. */
export const LOOK_MS = 1_000

/** Looks until it is stopped, at once for the first time; each name by itself, so that none waits for another. */
export function lookForDue(
  dues: Due[],
  given: Omit<DueTools, 'beside'>,
  signals: Signals,
): { stop(): Promise<void> } {
  const looks = dues.map(({ name, run }) => {
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
    const repeated: Repeated = whenAsked(look, log)
    const deafen = signals.listen(dueTopic(name), repeated.now)
    const stop = async () => {
      deafen()
      await repeated.stop()
      await Promise.all(underWay)
    }
    return { name, now: repeated.now, stop }
  })
  const waiting = kindsWaiting(dues, given.config)
  const asking = repeat(
    LOOK_MS,
    async () => {
      const names = await given.scopes
        .platform()
        .list(waiting)
        .catch(error => {
          // one kind that cannot be asked for keeps no other from its work: each looks by itself
          if (!isConnectionFailure(error)) for (const { now } of looks) now()
          throw error
        })
      for (const { name, now } of looks) if (names.has(name)) now()
    },
    given.log,
  )
  asking.now()
  return {
    async stop() {
      await asking.stop()
      await Promise.all(looks.map(({ stop }) => stop()))
    },
  }
}

/** The names of those of which something is due, by one statement. */
function kindsWaiting(dues: Due[], config: Config): (sql: Sql) => Promise<Set<string>> {
  const statement = prepared(sql => {
    const kinds = dues.flatMap(({ name, finds }) =>
      finds.map(find => tag`select ${tag.raw(`'${name}'`)} as name where ${exists(find(sql, config))}`),
    )
    return sql.select({ name: tag<string>`name` }).from(tag`(${tag.join(kinds, tag` union all `)}) kinds`)
  })
  return async sql => new Set((await statement(sql, {})).map(({ name }) => name))
}
