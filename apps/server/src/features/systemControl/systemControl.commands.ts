import { spawn } from 'node:child_process'
import type { Platform } from '../../platform/app.ts'
import type { Config } from '../../platform/config.ts'

const commandOf = ({ restartCommand, updateCommand }: Config) => ({
  restart: restartCommand,
  update: updateCommand,
})

/**
 * Runs the configured command in a shell of its own, which outlives this process; what it does with this process is its
 * affair, and a TERM lets go of what is under way in order. Answers false where none is configured (OP-112).
 */
export function runCommand({ config, log }: Platform, what: 'restart' | 'update', userId: number): boolean {
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
