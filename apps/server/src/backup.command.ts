import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError, readConfig } from './platform/config.ts'
import { backUp } from './platform/postgres/embedded/backup.ts'
import { type Restored, restore, VERIFYING } from './platform/postgres/embedded/restore.ts'
import type { Command } from './platform/startup/command.ts'

const COMMANDS = 'npm run backup -- FILE, npm run backup -- verify FILE [FOLDER], or npm run restore -- FILE'

/**
 * `npm run backup -- FILE` writes DATA_DIR into a file, beside the running product; `npm run backup -- verify FILE` restores
 * one into a folder that is removed again, of the system or of FOLDER; `npm run restore -- FILE` reads it into an empty DATA_DIR.
 */
export const backupCommand: Command = async (given, { env, print }) => {
  const [command, name, where, ...more] = given[1] === 'verify' ? given.slice(1) : given
  if (!name || more.length > 0 || (where && command !== 'verify'))
    throw new ConfigError(`Say which file: ${COMMANDS}`)
  const file = resolve(name)
  if (command === 'verify') return verify(file, where ?? tmpdir(), print)
  const { dataDir, databaseUrl, s3, s3Before } = readConfig(env)
  if (databaseUrl)
    throw new ConfigError('With DATABASE_URL the database is backed up by its own means, such as pg_dump')
  if (command === 'backup') {
    await backUp(dataDir, file, { files: true })
    return print(`${file} holds all of ${dataDir}.${s3 || s3Before ? ' Files in S3 are not in it.' : ''}`)
  }
  const { companies, messages } = await restore(file, dataDir)
  print(`${dataDir} is as it was: ${companies} companies, ${messages} messages.`)
  if (!existsSync(join(dataDir, 'files')))
    print('It holds no files: move the folder `files` of the DATA_DIR that it was made of here.')
  print('Never run it beside the original: WhatsApp ends a session that two use. DRILL=1 tries it out.')
}

/** In a folder that is made in this one. */
async function verify(file: string, where: string, print: (line: string) => void) {
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
