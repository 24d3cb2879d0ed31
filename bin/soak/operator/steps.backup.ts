import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messages } from '@balcao/contract/messages.ts'
import { freePort } from '../../../apps/server/src/platform/postgres/embedded/server.ts'
import { ask } from '../../../apps/server/testing/postgres.ts'
import { postgresOf } from './embedded.ts'
import { type Month, npmRun, npmStart, seconds, startAll, stopAll } from './month.ts'
import { patient } from './people.ts'
import { openProxy } from './proxy.ts'

const fileOf = ({ folder }: Month) => join(folder, 'balcao.zip')
const copyOf = ({ folder }: Month) => join(folder, 'new')

export async function backUp(month: Month): Promise<string> {
  const before = month.traffic!.talks.flatMap(({ answered }) => answered.map(({ text }) => text))
  await npmRun(month, 'backup', [fileOf(month)])
  month.backedUp = before
  return `${megabytes(fileOf(month))} with at least ${before.length} answers`
}

export async function verifyBackup(month: Month): Promise<string> {
  const printed = await npmRun(month, 'backup', ['verify', fileOf(month)])
  return printed.trim().replace(/^.*can be restored: /, '')
}

/** Into another folder; what was acknowledged before the backup began is in it once. */
export async function restoreBackup(month: Month): Promise<string> {
  await npmRun(month, 'restore', [fileOf(month)], { DATA_DIR: copyOf(month) })
  return `${readdirSync(copyOf(month)).length} entries in the new DATA_DIR`
}

const DRILL_MS = 8_000

/** The copy runs beside the original: people log in, and nothing of it leaves. */
export async function drill(month: Month): Promise<string> {
  const watched = await openProxy([month.meta.url])
  const env = { ...month.env, DRILL: '1', DATA_DIR: copyOf(month), GRAPH_API_URL: watched.url }
  const copy = await npmStart(month.code, { ...env, PORT: await freePort() })
  try {
    const health = (await (await fetch(`${copy.url}/health`)).json()) as { drill?: boolean }
    if (!health.drill) throw new Error(`the drill's /health says ${JSON.stringify(health)}`)
    await compare(month)
    const { company, ticketId } = month.traffic!.talks[0]!
    const admin = patient(copy.url, company.admin.email, company.password)
    const params = { ticketId, companyId: company.id }
    await admin.get(messages.send, { params, body: { id: crypto.randomUUID(), body: DRILLED } })
    await sleep(DRILL_MS)
  } finally {
    await copy.stop()
    await watched.close()
  }
  month.printed.push(copy.output())
  const escaped = month.meta.sent.filter(({ content }) => content.text === DRILLED).length + watched.calls
  if (escaped > 0) throw new Error(`the drill called Meta ${watched.calls} times`)
  rmSync(copyOf(month), { recursive: true, force: true })
  return `served after ${seconds(copy.seconds)}, Meta received ${watched.calls} calls of it`
}

const DRILLED = 'escrito no ensaio'

/** What was acknowledged before the backup is in the restored database once. */
async function compare(month: Month) {
  const rows = await ask(postgresOf(copyOf(month))!.url, `select body from messages where from_me`)
  const counts = Map.groupBy(rows, ({ body }) => String(body))
  const wrong = month.backedUp.filter(text => counts.get(text)?.length !== 1)
  if (wrong.length > 0)
    throw new Error(`${wrong.length} answers are not once in the restored copy: ${wrong[0]}`)
}

/** Today's version on the DATA_DIR of the version before, which is backed up as docs/operating.md says. */
export async function upgrade(month: Month): Promise<string> {
  await npmRun(month, 'backup', [join(month.folder, 'before.zip')])
  await stopAll(month)
  month.code = month.today
  const served = await startAll(month)
  const log = month.processes.get('all')!.output()
  const line = log.split('\n').find(text => text.includes('the database is brought up to date'))
  const { from, to, pending } = JSON.parse(line ?? '{"pending":[]}') as {
    from?: string
    to?: string
    pending: string[]
  }
  const backups = join(month.env.DATA_DIR!, 'backups')
  const kept = existsSync(backups) ? readdirSync(backups).filter(name => name.endsWith('.zip')).length : 0
  return `${from ?? '?'} to ${to ?? 'the same'}, ${pending.length} migrations, ${kept} backup made before, served after ${seconds(served)}`
}

const megabytes = (path: string) => `${(statSync(path).size / 1_000_000).toFixed(1)} MB`
