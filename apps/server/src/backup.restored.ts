import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { importAll } from './data.command.ts'
import type { BaseIndex } from './platform/backup/base.ts'
import { baseObject } from './platform/backup/names.ts'
import {
  DOWNLOADED,
  type Restorable,
  restorable,
  restoreCluster,
  restoreFiles,
  saveObject,
} from './platform/backup/restored.ts'
import type { BackupTarget } from './platform/backup/target.ts'
import { environmentOfTrial } from './platform/backup/trial.ts'
import { type Config, ConfigError } from './platform/config.ts'
import { type Outside, openOutbound } from './platform/outbound/outbound.ts'
import { NoRoom, refuseUsedFolder, VERIFYING } from './platform/postgres/embedded/restore.ts'
import { freePort } from './platform/postgres/embedded/server.ts'

interface Place {
  config: Config
  target: BackupTarget
}

/** Restores a backup into `dataDir`, and answers what it holds in words. */
export async function restoreInto(
  { config, target }: Place,
  base: Restorable,
  { dataDir, at, files, isOurs }: { dataDir: string; at: number | null; files: boolean; isOurs: boolean },
): Promise<string> {
  if (base.index.kind === 'cluster' || !config.databaseUrl) refuseUsedFolder(dataDir)
  if (base.index.kind === 'rows') return restoreRows({ config, target }, base, { dataDir, files, isOurs })
  const { companies, messages, tables, rows, migrations } = await restoreCluster(target, base, {
    dataDir,
    at,
    files,
  })
  if (migrations < base.index.migrations.length)
    throw new ConfigError(`${migrations} migrations are in it, and not ${base.index.migrations.length}`)
  return `${companies} companies, ${messages} messages, ${tables} tables with ${rows} rows.`
}

/** Into the database of DATABASE_URL where there is one, else into one in `dataDir`; both have to be empty. */
async function restoreRows(
  { config, target }: Place,
  base: Restorable,
  { dataDir, files, isOurs }: { dataDir: string; files: boolean; isOurs: boolean },
) {
  const packed = join(dataDir, DOWNLOADED)
  try {
    await saveObject(target, baseObject(base.id, 'data'), packed)
    const { manifest } = await importAll({ ...config, dataDir, s3: null, s3Before: null }, packed, { isOurs })
    if (files) await restoreFiles(target, base, join(dataDir, 'files'))
    const counted = Object.entries(manifest.tables)
    const of = (table: string) => manifest.tables[`public.${table}`]?.rows ?? 0
    const rows = counted.reduce((sum, [, about]) => sum + about.rows, 0)
    return `${of('companies')} companies, ${of('messages')} messages, ${counted.length} tables with ${rows} rows.`
  } finally {
    await rm(packed, { force: true })
  }
}

/** Restores a backup into a folder in DATA_DIR that is removed again; without room for it that is not known. */
export async function restoredOnce(
  place: Place,
  index: BaseIndex,
): Promise<{ found: string; hasRoom: boolean }> {
  try {
    const base = await withLog(place.target, index.id)
    return await inFolder(place.config, async dataDir => ({
      found: await restoreInto(alone(place), base, { dataDir, at: null, files: false, isOurs: false }),
      hasRoom: true,
    }))
  } catch (error) {
    if (error instanceof NoRoom) return { found: 'There is no room to restore it once.', hasRoom: false }
    throw error
  }
}

/** Restores the newest backup with all of the log behind it, and starts a product on it that answers this command alone. */
export async function drill(place: Place): Promise<{ index: BaseIndex; found: string }> {
  const [base] = await restorable(place.target)
  const { index, until } = base!
  const at = index.log && until > Date.parse(index.endedAt) ? until : null
  return inFolder(place.config, async dataDir => {
    const held = await restoreInto(alone(place), base!, { dataDir, at, files: false, isOurs: false })
    const seconds = await startsOn(dataDir)
    const until = at ? ` ${new Date(at).toISOString()}` : ` ${index.endedAt}`
    return { index, found: `Backup ${index.id}, until${until}: ${held} Started in ${seconds} s.` }
  })
}

async function withLog(target: BackupTarget, id: string): Promise<Restorable> {
  const base = (await restorable(target)).find(one => one.id === id)
  if (!base) throw new ConfigError(`the backup ${id} is not in ${target.place}`)
  return base
}

/** A trial touches neither the database of the product nor its bucket. */
const alone = ({ config, target }: Place): Place => ({
  target,
  config: { ...config, databaseUrl: null, s3: null, s3Before: null },
})

async function inFolder<T>({ dataDir }: Config, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dataDir, VERIFYING))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const program = fileURLToPath(new URL('./main.ts', import.meta.url))
const STARTS_MS = 180_000

/** Starts the product as a drill, until it says that it serves and its database is up; answers after how many seconds. */
async function startsOn(dataDir: string): Promise<number> {
  const port = await freePort()
  const env = environmentOfTrial(process.env, { dataDir, port })
  const outbound = openOutbound({ outboundAllow: ['127.0.0.1'] })
  const began = performance.now()
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (printed += text))
  const ended = new Promise<void>(done => child.once('close', () => done()))
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  try {
    while (performance.now() - began < STARTS_MS && child.exitCode === null) {
      if (await isServing(outbound.by({ target: 'pages', companyId: null }), port))
        return Math.round((performance.now() - began) / 1_000)
      await sleep(200)
    }
    throw new ConfigError(
      `The restored product does not start: ${printed.trim().slice(-500) || 'it says nothing'}`,
    )
  } finally {
    child.kill('SIGTERM')
    await ended
    await outbound.close()
    process.off('exit', end)
  }
}

async function isServing(outside: Outside, port: string): Promise<boolean> {
  try {
    const answer = await outside.fetchOutside(`http://127.0.0.1:${port}/health`, { timeoutMs: 5_000 })
    const health = JSON.parse(answer.body.toString()) as {
      status?: string
      database?: string
      drill?: boolean
    }
    return answer.status === 200 && health.database === 'up' && health.drill === true
  } catch {
    return false
  }
}
