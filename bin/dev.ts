import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../apps/server/src/platform/config.ts'
import { createLog } from '../apps/server/src/platform/observe/log.ts'
import { type Embedded, openEmbedded } from '../apps/server/src/platform/postgres/embedded/embedded.ts'
import { portIsFree } from '../apps/server/src/platform/startup/port.ts'
import { restarting } from './dev/restarting.ts'
import { here } from './rules/codebase.ts'

// The server starts again when one of its files is saved, on the database that this process keeps open; the page changes
// in place. Vite serves the page and passes calls on to the server (apps/web/vite.config.ts), so that the browser sees one
// origin as in production.

const page = spawn(
  process.execPath,
  [join(here, 'node_modules/vite/bin/vite.js'), '--port', '5173', '--strictPort'],
  { cwd: join(here, 'apps/web'), stdio: 'inherit' },
)
const embedded = openDatabase()
const server = restarting({
  script: join(here, 'bin/dev/server.ts'),
  watched: ['apps/server/src', 'apps/server/migrations', 'packages/contract/src'].map(path =>
    join(here, path),
  ),
  prepared: embedded.then(database => database?.url ?? null),
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, signal))
page.on('exit', () => void stop(1, 'SIGTERM'))
embedded.catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error)
  void stop(1, 'SIGTERM')
})

/** The database of DATA_DIR; null where DATABASE_URL names another. Throws ConfigError. */
async function openDatabase(): Promise<Embedded | null> {
  const config = readConfig(process.env)
  if (config.databaseUrl) return null
  const database = await openEmbedded(config.dataDir, { shared: false, before: () => portIsFree(config) })
  database.watch(createLog(config))
  return database
}

let stopping = false

/** Page and server end together, and the database after them. */
async function stop(code: number, signal: NodeJS.Signals) {
  if (stopping) return
  stopping = true
  // a terminal sends Ctrl-C to all of its processes, and the server takes a second one for "at once"
  const isTold = signal === 'SIGINT' && process.stdin.isTTY
  if (!isTold && isRunning(page)) page.kill(signal)
  await server.stop(isTold ? undefined : signal)
  await embedded.then(database => database?.close()).catch(() => {})
  process.exit(code)
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null
