import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { s3Server } from '../../../apps/server/testing/s3.ts'
import { type Month, npmRun, seconds, startAll, stopAll } from './month.ts'
import { outputOf } from './programs.ts'
import { openServer } from './server.ts'

/** As docs/operating.md has it under "Replacing the secret". */
export async function replaceSecret(month: Month): Promise<string> {
  const secret = randomBytes(32).toString('hex')
  await stopAll(month)
  month.env = {
    ...month.env,
    JWT_SECRET: secret,
    JWT_SECRET_OLD_FILE: join(month.env.DATA_DIR!, 'secret'),
  }
  const first = await startAll(month)
  await month.traffic!.goesOn()
  const printed = await npmRun(month, 'reseal')
  if (!printed.includes('Everything is sealed with JWT_SECRET')) throw new Error(printed)
  await stopAll(month)
  const { JWT_SECRET_OLD_FILE: _, ...rest } = month.env
  month.env = rest
  const second = await startAll(month)
  const columns = printed.match(/of them anew/g)?.length ?? 0
  return `${columns} columns sealed anew, served after ${seconds(first)} and ${seconds(second)}`
}

/** From the embedded database to a server. Meanwhile Meta and the attendants repeat what is refused. */
export async function moveToServer(month: Month): Promise<string> {
  month.server = await openServer()
  month.leftovers.add('the PostgreSQL server', month.server.end)
  const DATABASE_URL = await month.server.createDatabase(FIRST)
  const file = join(month.folder, 'balcao-data.zip')
  await stopAll(month)
  await npmRun(month, 'data', ['export', file])
  month.env = { ...month.env, DATABASE_URL }
  const printed = await npmRun(month, 'data', ['import', file])
  const served = await startAll(month)
  month.database = FIRST
  return `PostgreSQL ${month.server.version}: ${printed.trim().split('\n')[0]} Served after ${seconds(served)}`
}

const [FIRST, SECOND] = ['balcao', 'balcao_restored']

/** Into a bucket, while the product serves them. */
export async function moveFiles(month: Month): Promise<string> {
  const { s3, objects, close } = await s3Server()
  month.leftovers.add('the S3 server', close)
  await stopAll(month)
  month.env = {
    ...month.env,
    S3_BUCKET: s3.bucket,
    S3_REGION: s3.region,
    S3_ENDPOINT: s3.endpoint!,
    S3_ACCESS_KEY_ID: s3.accessKeyId!,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey!,
  }
  const served = await startAll(month)
  const printed = await npmRun(month, 'files', ['move'])
  const folder = join(month.env.DATA_DIR!, 'files')
  const left = existsSync(folder) ? readdirSync(folder).filter(name => /^\d+$/.test(name)) : []
  if (left.length > 0) throw new Error(`files of ${left.length} companies are left in DATA_DIR`)
  const { files } = (await (await fetch(`${month.proxy.url}/health`)).json()) as { files?: string }
  if (files) throw new Error(`/health says files: ${files}`)
  return `${printed.trim().split('\n').at(-1)} ${objects.size} objects, served after ${seconds(served)}`
}

/** Into another database of the server, by its own means where they are here. */
export async function restoreServer(month: Month): Promise<string> {
  const server = month.server!
  const to = await server.createDatabase(SECOND)
  await stopAll(month)
  const how = server.noDump ? await byExport(month, to, server.noDump) : await byDump(month, to)
  month.env = { ...month.env, DATABASE_URL: to }
  month.database = SECOND
  const served = await startAll(month)
  return `${how}, served after ${seconds(served)}`
}

/** The lines of docs/operating.md. */
async function byDump({ folder, env }: Month, to: string) {
  const shell = (line: string, DATABASE_URL: string) => outputOf(['sh', '-c', line], folder, { DATABASE_URL })
  await shell('pg_dump --format=custom "$DATABASE_URL" > balcao.dump', env.DATABASE_URL!)
  const bytes = readFileSync(join(folder, 'balcao.dump')).length
  const role = await shell(`psql "$DATABASE_URL" --command 'create role balcao_tenant'`, to).catch(
    (error: Error) => error.message,
  )
  if (!/already exists/.test(role)) throw new Error(`the role of the rules was not there: ${role}`)
  await shell('pg_restore --no-owner --no-comments --dbname "$DATABASE_URL" balcao.dump', to)
  return `pg_dump (${(bytes / 1_000_000).toFixed(1)} MB) and pg_restore`
}

async function byExport(month: Month, to: string, why: string) {
  const file = join(month.folder, 'balcao-restore.zip')
  await npmRun(month, 'data', ['export', file])
  await npmRun(month, 'data', ['import', file], { DATABASE_URL: to })
  return `by npm run data, since ${why}`
}
