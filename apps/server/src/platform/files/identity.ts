import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError, type S3Config } from '../config.ts'
import type { Database, Sql } from '../postgres/db.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'

/** The key of an advisory lock; no other lock has it. */
const LOCK = 7_262_457

/**
 * Processes on one database keep files in one place, or what one of them keeps the others do not find. Which place it
 * is recorded in the database: another folder beside Redis or a part of the roles is a mistake (ConfigError); of one
 * process alone it is logged, since its disk may have been lost or moved.
 */
export async function agreeOnFiles(database: Database, config: Config, log: Logger): Promise<void> {
  if (!config.databaseUrl) return // the database lies in the same folder
  const mine = await placeOf(config)
  const before = config.s3Before ? nameOf(config.s3Before) : config.s3 && (await markIn(config))
  const agreed = await database.transaction(`select pg_advisory_xact_lock(${LOCK})`, async sql => {
    const known = await knownPlace(sql)
    const moves = known !== null && known !== mine
    const isBefore = known === before
    if (moves && !config.s3 && !isBefore && isOneOfSeveral(config)) return known
    if (known === null) await sql.execute(tag`insert into file_places (place) values (${mine})`)
    if (moves) await sql.execute(tag`update file_places set place = ${mine}`)
    if (moves && !isBefore)
      log.warn(`files were kept in another place (${known}): what lies there is not found here`)
    return mine
  })
  if (agreed !== mine) throw otherPlace(config, agreed)
}

/** For a command beside the processes: throws ConfigError where they keep files in another place, and changes nothing. */
export async function refuseOtherPlace(database: Database, config: Config): Promise<void> {
  if (!config.databaseUrl) return
  const mine = config.s3 ? nameOf(config.s3) : await markIn(config)
  const known = await database.transaction('', knownPlace)
  if (known !== null && known !== mine) throw otherPlace(config, known)
}

const otherPlace = (config: Config, known: string) =>
  new ConfigError(
    `DATA_DIR ${config.dataDir} is not where the other processes of this database keep files: give all of them the same ` +
      `folder, or S3_BUCKET. If those files are gone for good: write ${known} into ${markOf(config)}`,
  )

const isOneOfSeveral = ({ redisUrl, roles }: Config) => redisUrl !== null || roles.size < 3

async function placeOf(config: Config): Promise<string> {
  const { s3 } = config
  if (s3) return nameOf(s3)
  await mkdir(join(config.dataDir, 'files'), { recursive: true })
  // of processes that start together on a new folder the first one names it
  await writeFile(markOf(config), `folder ${randomUUID()}`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return markIn(config)
}

/** Empty for a folder in which files were never kept. */
const markIn = async (config: Config) => (await readFile(markOf(config), 'utf8').catch(noMark)).trim()

function noMark(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

const nameOf = (s3: S3Config) => `S3 ${s3.endpoint ?? s3.region}/${s3.bucket}`

const markOf = ({ dataDir }: Config) => join(dataDir, 'files', 'place')

async function knownPlace(sql: Sql): Promise<string | null> {
  const rows = await rowsFrom<{ place: string }>(sql, tag`select place from file_places`)
  return rows[0]?.place ?? null
}
