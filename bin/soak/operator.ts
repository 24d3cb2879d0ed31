import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { messageChannel } from '@balcao/contract/messages.ts'
import { freePort } from '../../apps/server/src/platform/postgres/embedded/server.ts'
import { until } from '../../apps/server/testing/person.ts'
import { audit, unknownIn } from './operator/audit.ts'
import { found, MASTER } from './operator/companies.ts'
import { endPostgresOf } from './operator/embedded.ts'
import { interruption, leftovers } from './operator/leftovers.ts'
import { leadProxy, type Month, seconds, startAll, stopAll } from './operator/month.ts'
import { endPrograms, outputOf } from './operator/programs.ts'
import { openProxy } from './operator/proxy.ts'
import { backUp, drill, restoreBackup, upgrade, verifyBackup } from './operator/steps.backup.ts'
import { moveFiles, moveToServer, replaceSecret, restoreServer } from './operator/steps.moves.ts'
import { killChannels, killWeb, severalProcesses } from './operator/steps.processes.ts'
import { startTraffic } from './operator/traffic.ts'
import { checkOut, versionBefore } from './operator/version.ts'

const COMPANIES = 10

/**
 * What an operator does in a month, by the documented commands, while ten companies work: whatever a customer wrote and
 * whatever was acknowledged is there once at the end. Throws when it is not.
 */
export async function soakOperator(from: string): Promise<void> {
  const made = leftovers()
  const interrupted = interruption()
  try {
    await Promise.race([prepare(made).then(month => live(month, from)), interrupted])
  } finally {
    // while the servers that they need are there
    await endPrograms()
    await made.end()
  }
}

async function prepare(made: Month['leftovers']): Promise<Month> {
  const today = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'balcao-month-'))
  made.add(folder, () => rmSync(folder, { recursive: true, force: true }))
  const DATA_DIR = join(folder, 'data')
  for (const dataDir of [DATA_DIR, join(folder, 'new')])
    made.add(`PostgreSQL in ${dataDir}`, () => endPostgresOf(dataDir))
  const meta = await startCloudApiServer({
    limits: { pairBurst: false, perSecond: false },
    webhooks: { backOff: [500, 1_000, 2_000], lanes: 10 },
  })
  made.add('the double of Meta', meta.close)
  const proxy = await openProxy()
  made.add('the proxy', proxy.close)
  const month: Month = {
    ...{ folder, code: today, today, meta, proxy, leftovers: made },
    ...{ companies: [], traffic: null, server: null, database: '', backedUp: [], printed: [] },
    processes: new Map(),
    ports: new Map([['all', await freePort()]]),
    env: {
      ...{ NODE_ENV: 'production', HOST: '127.0.0.1', DATA_DIR, LOG_LEVEL: 'info' },
      ...{ MASTER_EMAIL: MASTER.email, MASTER_PASSWORD: MASTER.password },
      ...{ BACKEND_URL: proxy.url, TRUST_PROXY: '1', GRAPH_API_URL: meta.url },
    },
  }
  leadProxy(month)
  return month
}

async function live(month: Month, from: string) {
  const step = stepsOf(month)
  await step('npm start -- --version', async () => (await outputOf(NPM_VERSION, month.today)).trim())
  const ref = await versionBefore(month.today, from)
  if (ref)
    await step(`checkout of ${ref}`, async () => {
      month.code = await checkOut(month.today, ref, month.folder, month.leftovers)
      return 'with npm ci'
    })
  await step('install', async () => `served after ${seconds(await startAll(month))}`)
  await step('companies', async () => {
    for (let place = 1; place <= COMPANIES; place++)
      month.companies.push(await found(month.meta, month.proxy.url, place))
    return `${COMPANIES} with a plan, an admin, a queue and a connection`
  })
  await step('traffic', async () => {
    month.traffic = await startTraffic(month.meta, month.companies)
    month.leftovers.add('the traffic', () => month.traffic!.abandon())
    await pushed(month)
    return `${month.traffic.talks.length} conversations; a push came over a WebSocket through the proxy`
  })
  await step('upgrade', async () =>
    ref ? upgrade(month) : 'not run: the repository has no tag, and no --from REF was given',
  )
  for (const [name, run] of Object.entries(STEPS)) await step(name, () => run(month))
  await conclude(month)
}

/** The proxy passes WebSockets on. */
async function pushed({ companies: [first] }: Month) {
  const admin = await first!.admin.entered()
  const pushes = await admin.subscribe(messageChannel)
  await until(() => pushes.length > 0)
  admin.close()
}

const NPM_VERSION: [string, ...string[]] = ['npm', 'start', '--silent', '--', '--version']

const STEPS: Record<string, (month: Month) => Promise<string>> = {
  'npm run backup': backUp,
  'backup verify': verifyBackup,
  'npm run restore': restoreBackup,
  drill,
  'rotation of the secret': replaceSecret,
  'move to PostgreSQL': moveToServer,
  'npm run files -- move': moveFiles,
  'several processes': severalProcesses,
  'kill -9 of the channels': killChannels,
  'kill -9 of a web': killWeb,
  'restore of the server': restoreServer,
}

/** Prints of each step how long it took, what it found, and what passed the proxy meanwhile. */
function stepsOf(month: Month) {
  return async (name: string, run: () => Promise<string>) => {
    const { traffic, proxy } = month
    const before = { at: performance.now(), refused: proxy.refused, repeats: traffic?.repeats() ?? 0 }
    const what = await run()
    const took = performance.now() - before.at
    await traffic?.goesOn()
    const meanwhile = traffic
      ? `; ${traffic.texts()} texts and ${traffic.answers()} answers so far, ${proxy.refused - before.refused} times 502, ` +
        `${traffic.repeats() - before.repeats} answers repeated, ${(await unknownIn(month)).length} of unknown outcome`
      : ''
    console.log(`${name.padEnd(26)} ${(took / 1_000).toFixed(1).padStart(6)} s  ${what}${meanwhile}`)
  }
}

async function conclude(month: Month) {
  const began = performance.now()
  const { lost, doubled, strange, broken, examples, ...counts } = await audit(month)
  await stopAll(month)
  console.log(`${'audit'.padEnd(26)} ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s`)
  for (const line of failuresIn(month.printed)) console.log(`logged as an error: ${line}`)
  const { unknown } = month.meta
  // a call of a process that was killed comes without its end
  const errors = month.meta.errors.filter(({ message }) => message !== 'aborted')
  console.log(
    `${lost} lost, ${doubled} doubled; ${strange} in another company, ${broken} broken files; ${counts.texts} texts, ` +
      `${counts.answers} answers, ${counts.files} files, ${counts.resent} of unknown outcome sent again`,
  )
  const wrong = [...examples, ...unknown, ...errors.map(({ message }) => message)]
  if (lost + doubled + strange + broken + wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** The messages of level error in the logs, each with how often it came. */
function failuresIn(printed: string[]) {
  const lines = printed.flatMap(text => text.split('\n')).filter(line => line.includes('"level":50'))
  const messages = Map.groupBy(lines, line => {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string; stack?: string } }
    return [msg, err?.message || err?.stack?.slice(0, 500)].filter(Boolean).join(': ')
  })
  return [...messages].map(([text, { length }]) => `${length} × ${text}`)
}
