import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { databaseNow } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { isBackupDue } from '../../platform/postgres/embedded/nightly.ts'
import type { Scopes } from '../../platform/scope.ts'
import type { Tools } from '../../platform/work/jobs.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { markMailed, mastersOf, newestRun, streamsNow, unmailedDrills } from './backups.queries.ts'
import { drillLetter } from './backups.text.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
/** A drill that failed is tried again. */
const AGAIN = 6 * HOUR

const program = fileURLToPath(new URL('../../backup.ts', import.meta.url))

/** Each hour: a backup where one is due; else what files came since, so that rows of the log find theirs. */
export async function keepBackedUp(
  scopes: Scopes,
  config: Config,
  { log }: Pick<Tools, 'log'>,
): Promise<void> {
  if (!config.backup) return
  const { newest, streams } = await scopes.platform().transaction(async sql => ({
    newest: await newestRun(sql, 'backup', ['made', 'verified']),
    streams: await streamsNow(sql),
  }))
  // a log that begins anew is of use behind a backup only
  const isBehind = streams.length > 0 && newest !== null && !streams.includes(newest.stream)
  const isDue = isBehind || isBackupDue(databaseNow(), newest && Date.parse(newest.begunAt))
  await command(log, ...(isDue ? [] : ['--files']))
}

/** Once a week the newest backup is restored and started; whoever operates is written to, once for each. */
export async function drillWhenDue(
  scopes: Scopes,
  config: Config,
  { log }: Pick<Tools, 'log'>,
): Promise<void> {
  if (!config.backup) return
  const platform = scopes.platform()
  const [backup, done, tried] = await platform.transaction(async sql => [
    await newestRun(sql, 'backup', ['made', 'verified']),
    await newestRun(sql, 'drill', ['verified']),
    await newestRun(sql, 'drill', ['failed', 'running']),
  ])
  const now = databaseNow()
  const since = (run: { begunAt: string } | null) =>
    run ? now - Date.parse(run.begunAt) : Number.POSITIVE_INFINITY
  const isDue = backup && since(done) >= WEEK && since(tried) >= AGAIN
  // a failure of it is in its row, and written about
  if (isDue) await command(log, '--drill').catch(error => log.error({ err: error }, 'a drill failed'))
  await mailDrills(scopes, config)
}

/** A letter has its drill as its cause, one that failed its week: written again after a crash it is the same. */
async function mailDrills(scopes: Scopes, { backup, backendUrl }: Config) {
  const platform = scopes.platform()
  for (const drill of await platform.transaction(unmailedDrills)) {
    const masters = await platform.transaction(mastersOf)
    const recipients = backup?.mail && masters[0] ? [{ ...masters[0], email: backup.mail }] : masters
    const week = Math.floor(Date.parse(drill.begunAt) / WEEK)
    const cause = drill.state === 'verified' ? `drill:${drill.id}` : `drill:failed:${week}`
    for (const { id, companyId, email: to } of recipients)
      await scopes
        .inCompany(companyId)
        .transaction(tx =>
          writeMail(tx, { cause: `${cause}:${id}`, to, letter: drillLetter(drill, backendUrl) }),
        )
    await platform.transaction(sql => markMailed(sql, drill.id))
  }
}

/** A process of its own, behind everything else: what it compresses takes nothing from those who are served. */
async function command(log: Logger, ...words: string[]): Promise<void> {
  const { code, output } = await new Promise<{ code: number; output: string }>(done => {
    const end = () => child.kill()
    const child = execFile(process.execPath, [program, 'backup', ...words], (error, out, errors) => {
      process.off('exit', end)
      done({ code: error ? Number(error.code ?? 1) || 1 : 0, output: (out + errors).trim() })
    })
    process.once('exit', end)
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  })
  if (code !== 0) throw new Error(output)
  if (output) log.info({ output }, 'a sealed backup')
}
