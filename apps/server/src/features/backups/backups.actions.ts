import type { SealedBackups } from '@balcao/contract/systemControl.ts'
import { placeOfBackups } from '../../platform/backup/target.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { logState, newestRun } from './backups.queries.ts'

/** What the last runs of sealed backups and drills left; null without BACKUP_TO. */
export async function sealedBackups(
  sql: Sql,
  { backup }: Pick<Config, 'backup'>,
): Promise<SealedBackups | null> {
  if (!backup) return null
  const made = await newestRun(sql, 'backup', ['made', 'verified'])
  const verified = await newestRun(sql, 'backup', ['verified'])
  const failed = await newestRun(sql, 'backup', ['failed'])
  const drilled = await newestRun(sql, 'drill', ['verified'])
  const undrilled = await newestRun(sql, 'drill', ['failed'])
  const log = await logState(sql)
  const since = (run: typeof failed, success: typeof made) =>
    run && run.id > (success?.id ?? 0) ? run.found : ''
  const iso = (at: string | null | undefined) => (at ? new Date(at).toISOString() : null)
  return {
    place: placeOfBackups(backup.to),
    at: iso(made?.begunAt),
    bytes: made?.bytes ?? 0,
    verifiedAt: iso(verified?.begunAt),
    failure: since(failed, made),
    logUntil: log?.covers ?? null,
    logFailure: log?.why ?? '',
    drilledAt: iso(drilled?.begunAt),
    drillFailure: since(undrilled, drilled),
  }
}
