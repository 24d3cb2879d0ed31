import { spawn } from 'node:child_process'
import type { Platform } from '../../platform/app.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/postgres/db.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { recountContacts, recountTickets, recountUnread } from './systemControl.queries.ts'

export interface Repaired {
  ticketCounts: number
  contactCounts: number
  unread: number
}

/** Recomputes counters from their rows (OP-113); answers how many of each were wrong. */
export async function repair(database: Database, platform: PlatformScope): Promise<Repaired> {
  await migrate(database)
  return platform.transaction(async sql => ({
    ticketCounts: await recountTickets(sql),
    contactCounts: await recountContacts(sql),
    unread: await recountUnread(sql),
  }))
}

const commandOf = ({ restartCommand, updateCommand }: Config) => ({
  restart: restartCommand,
  update: updateCommand,
})

/**
 * Runs the configured command in a shell of its own, which outlives this process; it may end this
 * process, which completes its work on SIGTERM. Answers false where none is configured (OP-112).
 */
export function runCommand(
  { config, log }: Pick<Platform, 'config' | 'log'>,
  what: 'restart' | 'update',
  userId: number,
): boolean {
  const command = commandOf(config)[what]
  log.warn(
    { what, userId, command },
    command ? 'the operator’s command runs' : 'asked for, but no command is configured',
  )
  if (!command) return false
  const child = spawn(command, { shell: true, detached: true, stdio: 'ignore' })
  child.on('error', error => log.error({ err: error, what }, 'the operator’s command could not be run'))
  child.on('exit', code => log[code === 0 ? 'info' : 'error']({ what, code }, 'the operator’s command ended'))
  child.unref()
  return true
}
