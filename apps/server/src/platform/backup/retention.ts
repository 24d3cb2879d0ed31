import type { BackupConfig } from '../config.ts'
import { basesAt, type FoundBase, filesListed, indexOf } from './base.ts'
import { anchorOf, baseObject, basesThatStay, fileObject, stretchOf } from './names.ts'
import type { BackupTarget } from './target.ts'

/**
 * Removes the backups that do not stay, the files that no backup lists which stays, and the log from before. Only objects with names
 * that the product gives are removed. A backup goes with its index first: interrupted, the next one removes the rest.
 */
export async function removeOld(
  target: BackupTarget,
  { keep, logDays }: Pick<BackupConfig, 'keep' | 'logDays'>,
  now: number,
): Promise<{ bases: number; files: number; stretches: number }> {
  const bases = await basesAt(target)
  // what a wrong clock dated into the future stays, and is not the newest
  const known = bases.filter(({ at }) => at <= now)
  const stay = basesThatStay(known, { keep, logDays, now })
  const leaving = known.filter(base => !stay.has(base))
  for (const { id } of leaving)
    for (const part of ['index', 'files', 'data'] as const) await target.remove(baseObject(id, part))
  const files =
    leaving.length > 0
      ? await removeFiles(
          target,
          bases.filter(base => !leaving.includes(base)),
        )
      : 0
  const anchor = anchorOf([...stay], { logDays, now })
  const stretches = await removeLog(target, anchor, logDays)
  return { bases: leaving.length, files, stretches }
}

/** Files that came after the newest backup are in none yet. */
async function removeFiles(target: BackupTarget, staying: FoundBase[]): Promise<number> {
  const listed = new Set<string>()
  for (const { id } of staying) for (const path of await filesListed(target, id)) listed.add(fileObject(path))
  const newest = Math.max(...staying.map(({ at }) => at))
  const gone: string[] = []
  for await (const { path, writtenAt } of target.under('files/'))
    if (!listed.has(path) && writtenAt < newest) gone.push(path)
  for (const path of gone) await target.remove(path)
  return gone.length
}

/**
 * The log from before the backup that the oldest moment is restored from. What was sent just before it began may hold its end: the time in
 * its name is some moments before it was sent.
 */
async function removeLog(target: BackupTarget, anchor: FoundBase | null, logDays: number): Promise<number> {
  if (!anchor && logDays > 0) return 0
  const before = anchor ? anchor.at - HOUR : Number.POSITIVE_INFINITY
  const gone: string[] = []
  for await (const { path } of target.under('log/')) {
    const stretch = stretchOf(path)
    if (stretch && stretch.sentAt < before) gone.push(path)
  }
  for (const path of gone) await target.remove(path)
  return gone.length
}

const HOUR = 3_600_000

/** The newest backup with its index; null where there is none. */
export async function newestBase(target: BackupTarget, now = Number.POSITIVE_INFINITY) {
  const newest = (await basesAt(target)).find(({ at }) => at <= now)
  return newest ? { ...newest, index: await indexOf(target, newest.id) } : null
}
