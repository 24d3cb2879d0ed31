import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { backUp } from './platform/postgres/embedded/backup.ts'
import { type Restored, restore, VERIFYING } from './platform/postgres/embedded/restore.ts'
import type { Command } from './platform/startup/command.ts'

const COMMANDS =
  'npm run backup -- FILE, npm run backup -- verify FILE [FOLDER], or npm run restore -- FILE; with BACKUP_TO: ' +
  'npm run backup [-- verify | --files | --drill], npm run restore -- --list | --newest | --at 2026-11-29T10:15Z'

/**
 * `npm run backup -- FILE` writes DATA_DIR into a file, beside the running product; `npm run backup -- verify FILE` restores
 * one into a folder that is removed again, of the system or of FOLDER; `npm run restore -- FILE` reads it into an empty DATA_DIR.
 * Without a file they work with the sealed backups of BACKUP_TO.
 */
export const backupCommand: Command = async (given, around) => {
  const [command, name, where, ...more] = given[1] === 'verify' ? given.slice(1) : given
  const isSealed = name === undefined || name.startsWith('--')
  if (isSealed) return sealed(given, around)
  if (more.length > 0 || (where && command !== 'verify')) throw new ConfigError(`Say which file: ${COMMANDS}`)
  const { env, print } = around
  const file = resolve(name)
  if (command === 'verify') return verify(file, where ?? tmpdir(), print)
  const { dataDir, databaseUrl, s3, s3Before } = readConfig(env)
  if (databaseUrl)
    throw new ConfigError(
      'With DATABASE_URL the database is backed up by its own means, such as pg_dump, or sealed into BACKUP_TO: npm run backup',
    )
  if (command === 'backup') {
    await backUp(dataDir, file, { files: true })
    return print(`${file} holds all of ${dataDir}.${s3 || s3Before ? ' Files in S3 are not in it.' : ''}`)
  }
  const { companies, messages } = await restore(file, dataDir)
  print(`${dataDir} is as it was: ${companies} companies, ${messages} messages.`)
  if (!existsSync(join(dataDir, 'files')))
    print('It holds no files: move the folder `files` of the DATA_DIR that it was made of here.')
  print(BESIDE)
}

const BESIDE = 'Never run it beside the original: WhatsApp ends a session that two use. DRILL=1 tries it out.'

type Print = (line: string) => void

/** Loaded late: whoever backs up into a file needs none of it. */
async function sealed([command, option, at, ...more]: string[], { env, print }: Parameters<Command>[1]) {
  const config = readConfig(env)
  const words = [command, option, at === undefined ? '' : 'TIME'].join(' ').trim()
  if (more.length > 0) throw new ConfigError(`Say what: ${COMMANDS}`)
  const { makeBackup, catchUp, provenOnce, drilled, BUSY } = await import('./backup.sealed.ts')
  if (words === 'backup') return void ((await makeBackup(config, print)) ?? print(BUSY))
  if (words === 'backup --files') return void (await catchUp(config))
  if (words === 'backup --drill') return void ((await drilled(config, print)) ?? print(BUSY))
  if (words === 'backup verify') return provenOnce(config, print)
  if (words === 'restore --list' || words === 'restore --newest') return restoreSealed(config, option!, print)
  if (words === 'restore --at TIME') return restoreSealed(config, at!, print)
  throw new ConfigError(`Say what: ${COMMANDS}`)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

async function restoreSealed(config: Config, which: string, print: Print) {
  const isMoment = !which.startsWith('--')
  const moment = Date.parse(which)
  if (isMoment && !(TIME.test(which) && moment > 0))
    throw new ConfigError(
      '--at takes a moment with its zone such as 2026-11-29T10:15Z or 2026-11-29T07:15:30-03:00',
    )
  if (!config.backup) throw new ConfigError('BACKUP_TO takes the folder or bucket in which the backups are')
  const { openTarget } = await import('./platform/backup/target.ts')
  const { reaching, restorable } = await import('./platform/backup/restored.ts')
  const target = await openTarget(config.backup)
  try {
    const found = await restorable(target)
    if (which === '--list') return list(found, print)
    const base = isMoment ? reaching(found, moment) : found[0]!
    const { restoreInto } = await import('./backup.restored.ts')
    const to = { dataDir: config.dataDir, files: true, isOurs: true }
    const held = await restoreInto({ config, target }, base, { ...to, at: isMoment ? moment : null })
    const when = isMoment ? new Date(moment).toISOString() : base.index.endedAt
    print(`${config.databaseUrl ? 'The database' : config.dataDir} is as it was at ${when}: ${held}`)
    print(BESIDE)
  } finally {
    target.close()
  }
}

type Found = Awaited<ReturnType<typeof import('./platform/backup/restored.ts')['restorable']>>

function list(found: Found, print: Print) {
  for (const { id, index, until } of found) {
    const { kind, bytes, fileBytes, files, endedAt, version } = index
    const reach = until > Date.parse(endedAt) ? `, and any moment until ${new Date(until).toISOString()}` : ''
    print(
      `${id}  version ${version}, ${kind}, ${bytes} bytes and ${files} files of ${fileBytes}: ${endedAt}${reach}`,
    )
  }
}

/** In a folder that is made in this one. */
async function verify(file: string, where: string, print: Print) {
  const folder = await mkdtemp(join(resolve(where), VERIFYING))
  try {
    const found = await restore(file, folder)
    // late: it asks every feature, and a backup is made without them
    const { filesMissing } = await import('./backup.files.ts')
    const missing = await filesMissing(folder)
    print(`${file} can be restored: ${inWords(found)}.`)
    if (found.files > 0 && missing > 0) print(`${missing} files that rows name are not in it.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const inWords = ({ companies, messages, tables, rows, files }: Restored) =>
  `${companies} companies, ${messages} messages, ${tables} tables with ${rows} rows, ${files} files`
