import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { commandsIn, sectionOf } from '../../testing/documented.ts'
import { whyNoDump } from '../../testing/dump.ts'
import { embeddedStore, storeIn } from '../../testing/embedded.ts'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { ask, createDatabase, serverUrl } from '../../testing/postgres.ts'
import {
  freshFolder,
  type Process,
  runOperatorCommand,
  runToEnd,
  startProcess,
} from '../../testing/process.ts'
import { s3Server } from '../../testing/s3.ts'
import { emptyStore } from '../../testing/store.ts'
import { backupCommand } from '../backup.command.ts'
import { dataCommand } from '../data.command.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/observe/log.ts'
import { backUp } from '../platform/postgres/embedded/backup.ts'
import { reachDatabase } from '../platform/postgres/embedded/reach.ts'
import { startProduct } from '../platform/start.ts'
import { product } from '../product.ts'

// some twenty commands, each with a database of its own: minutes on a busy machine
vi.setConfig({ testTimeout: 900_000 })

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const { leftovers } = trackLeftovers()

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operating.md'])(
  'every command and file that %s tells to run or to copy is there',
  page => {
    const text = read(page)
    const found = (pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))]
    const commands = found(/\bnpm run (?:-s )?([\w:]+)/g)
    expect(commands.length).toBeGreaterThan(3)
    expect(commands.filter(name => !scripts[name])).toEqual([])
    const files = found(/\b((?:apps\/server\/src|bin|deploy)\/[\w/.-]+\.\w+|deploy\/Caddyfile)\b/g)
    expect(files.filter(path => !existsSync(join(root, path)))).toEqual([])
  },
)

const DOCKER = 'it needs a docker daemon, and minutes to build an image'
const SEALED = 'crash/sealed runs it with a database, a folder and a bucket of its own'
const CLUSTER = 'it needs a cluster; bin/chart.test.ts renders the chart where helm is'
const SYSTEM = 'it changes the machine: users, /etc and systemd'
const server = await ask(serverUrl(), `select current_setting('server_version_num')::int / 10000 as major`)
const noDump = whyNoDump(Number(server[0]!.major))

/** Documented commands that are not run here, each with the reason. */
const elsewhere: Record<string, string> = {
  'docker build -t balcao .': DOCKER,
  'docker run -d --name balcao --init --restart unless-stopped --stop-timeout 60 --log-opt max-size=10m --log-opt max-file=5 -p 127.0.0.1:8080:8080 -v balcao:/data -e MASTER_EMAIL=you@example.com -e MASTER_PASSWORD=… balcao':
    DOCKER,
  'BACKUP_TO=s3://balcao-backups/loja BACKUP_KEY_FILE=/etc/balcao.backup-key npm start': SEALED,
  'npm run backup': SEALED,
  'npm run backup -- verify': SEALED,
  'npm run backup -- --drill': SEALED,
  'npm run restore -- --list': SEALED,
  'DATA_DIR=./then npm run restore -- --at 2026-11-29T10:15Z': SEALED,
  'DATA_DIR=./new npm run restore -- --newest': SEALED,
  'git clone https://github.com/… /opt/balcao && cd /opt/balcao': 'it needs the network',
  'kubectl create secret generic balcao --from-literal=jwt-secret="$(openssl rand -hex 32)" --from-literal=database-url=… --from-literal=s3-access-key-id=… --from-literal=s3-secret-access-key=…':
    CLUSTER,
  'helm upgrade --install balcao deploy/chart --set host=balcao.example.com --set s3.bucket=… --set s3.region=… --set image.repository=…':
    CLUSTER,
  'useradd --system --home /nonexistent --shell /usr/sbin/nologin balcao': SYSTEM,
  'install -m 600 /dev/null /etc/balcao.env': SYSTEM,
  'cp deploy/balcao.service /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now balcao':
    SYSTEM,
}

type Act = (scene: Scene, line: string) => Promise<unknown>
const prints =
  (expected: RegExp, more: (scene: Scene) => Record<string, string> = () => ({})): Act =>
  async (scene, line) =>
    expect(await scene.run(line, more(scene))).toMatch(expected)

/** Where the programs of the server's version are; `npm run soak -- operator` runs these lines on an older server. */
const byDump: Record<string, Act> = {
  'pg_dump --format=custom "$DATABASE_URL" > balcao.dump': async ({ run, production }, line) =>
    expect(await run(line, production)).toBe(''),
  'psql "$DATABASE_URL" --command \'create role balcao_tenant\'': async ({ run, restored }, line) =>
    expect(await run(line, restored).catch(String)).toMatch(/already exists/),
  'pg_restore --no-owner --no-comments --dbname "$DATABASE_URL" balcao.dump': async (
    { run, restored },
    line,
  ) => {
    await run(line, restored)
    expect((await ask(restored.DATABASE_URL!, 'select from companies')).length).toBe(2)
  },
}

/** The other ones, in an order in which each finds what it needs. */
const runs: Record<string, Act> = {
  'npm start -- --version': prints(
    /^Balcão \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}|unknown), newest migration \d{4}_[\w-]+\)$/m,
  ),
  'BACKUP_DIR=/mnt/backups npm start': async (scene, line) =>
    (scene.home = await scene.serve(line, startProcess)),
  'npm run master -- you@example.com': prints(
    /you@example.com is master of the platform and can log in/,
    () => ({
      MASTER_PASSWORD: PASSWORD,
    }),
  ),
  'npm run backup -- balcao.zip': prints(/balcao\.zip holds all of /),
  // it ends with 1: this installation has no mail
  'npm run doctor': async (scene, line) =>
    expect(await printed(scene.run(line))).toMatch(/^ok {4}schema: newest migration/m),
  'npm run doctor -- --packet support.json': async (scene, line) =>
    expect(await printed(scene.run(line))).toMatch(/^warn {2}mail: /m),
  'npm run data -- export lume.zip --company 2': prints(/lume\.zip/),
  'npm run data -- export balcao-data.zip': async (scene, line) => {
    await backUp(scene.dataDir, scene.before, { files: false })
    await scene.home!.stop()
    expect(await scene.run(line)).toMatch(/holds \d+ tables with \d+ rows/)
  },
  'npm run backup -- verify balcao.zip': prints(/can be restored: \d companies/),
  'DATA_DIR=./new npm run restore -- balcao.zip': prints(/is as it was: \d companies/),
  'DRILL=1 PORT=8081 DATA_DIR=./new npm start': async (scene, line) => {
    leftovers.push(storeIn(scene.copy, () => {}).remove)
    const drill = await scene.serve(line, serveHere)
    expect(await (await fetch(`${drill.url}/health`)).json()).toMatchObject({ status: 'ok', drill: true })
    await drill.stop()
  },
  'DATABASE_URL=postgres://balcao:…@db/balcao JWT_SECRET="$(cat data/secret)" npm run data -- import balcao-data.zip':
    prints(/the rows of \d+ tables are there/),
  'DATA_DIR=/var/lib/balcao-before npm run restore -- /var/lib/balcao/backups/before-0.2.0-20261127T190500Z.zip':
    prints(/It holds no files: move the folder/),
  'mv /var/lib/balcao/files /var/lib/balcao-before/files': async ({ run, dataDir }, line) => {
    await run(line)
    expect(existsSync(join(dataDir, 'files'))).toBe(false)
  },
  'NODE_ENV=production HOST=127.0.0.1 MASTER_EMAIL=you@example.com MASTER_PASSWORD=… npm start': async (
    scene,
    line,
  ) => (scene.home = await scene.serve(line, serveHere, scene.production)),
  'npm run data -- import lume.zip --company': prints(/Lume Móveis/, ({ production }) => production),
  'npm run files -- move': prints(/files moved from .* none is left there/, ({ s3 }) => s3),
  ...(noDump ? {} : byDump),
}

/** What a command printed, however it ended. */
const printed = (running: Promise<string>) =>
  running.catch((error: { stdout?: string }) => error.stdout ?? String(error))

test('every documented command line is run here, or has the reason why not', () => {
  const documented = [
    ...commandsIn(sectionOf(read('README.md'), '## Operating it')),
    ...commandsIn(read('docs/operating.md')),
  ]
  const known = [...Object.keys(elsewhere), ...Object.keys(runs), ...(noDump ? Object.keys(byDump) : [])]
  expect(documented.toSorted()).toEqual(known.toSorted())
})

test(`the documented commands of an operator do what is written about them${noDump ? ` (without a dump: ${noDump})` : ''}`, async () => {
  const scene = await setScene()
  for (const [line, act] of Object.entries(runs)) await act(scene, line)
  await scene.home!.stop()
})

const PASSWORD = 'senha-da-dona'

type Env = Record<string, string>
type Serving = Pick<Process, 'url' | 'stop'>

interface Scene {
  /** Of the installation that is backed up and moved. */
  dataDir: string
  /** A backup as an upgrade makes it. */
  before: string
  /** Where a backup is restored to. */
  copy: string
  /** Variables of an installation on a server, of a restored database, and of a bucket. */
  production: Env
  restored: Env
  s3: Env
  /** What serves now. */
  home: Serving | null
  /** Answers what the line printed. Throws where it failed. */
  run(line: string, env?: Env): Promise<string>
  serve(line: string, where: typeof startProcess | typeof serveHere, env?: Env): Promise<Serving>
}

async function setScene(): Promise<Scene> {
  const [store, empty, moved, restored, { s3, close }] = await Promise.all([
    embeddedStore(),
    emptyStore(),
    createDatabase(),
    createDatabase(),
    s3Server(),
  ])
  const { path, remove } = freshFolder()
  leftovers.push(remove, close, restored.drop, moved.drop, empty.remove, store.remove)
  const { dataDir } = store
  const at = (name: string) => join(path, name)
  const bash = bashIn(path, { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' })
  const written = (line: string) => withPlaces(line, at, dataDir, moved.url)
  const { DEMO: _, ...production } = empty.env
  return {
    ...{ dataDir, before: at('before.zip'), copy: at('new'), production, home: null },
    restored: { DATABASE_URL: restored.url },
    s3: {
      ...{
        DATA_DIR: at('balcao-before'),
        S3_BUCKET: s3.bucket,
        S3_REGION: s3.region,
        S3_ENDPOINT: s3.endpoint!,
      },
      ...{ S3_ACCESS_KEY_ID: s3.accessKeyId!, S3_SECRET_ACCESS_KEY: s3.secretAccessKey! },
    },
    async run(line, more = {}) {
      const { output, npm } = await bash(written(line), more)
      return npm ? runNpm(npm) : output
    },
    async serve(line, where, more = {}) {
      const { npm } = await bash(written(line), more)
      expect(npm?.words).toEqual(['start'])
      const serving = await where(npm!.env)
      let stopped: Promise<void> | null = null
      const stop = () => (stopped ??= serving.stop())
      // where an expectation fails before it is stopped
      leftovers.push(stop)
      return { url: serving.url, stop }
    },
  }
}

/** The places that the pages name, and those of this test. */
const withPlaces = (line: string, at: (name: string) => string, dataDir: string, url: string) =>
  [
    ['/var/lib/balcao/backups/before-0.2.0-20261127T190500Z.zip', at('before.zip')],
    ['/var/lib/balcao-before', at('balcao-before')],
    ['/var/lib/balcao', dataDir],
    ['/mnt/backups', at('')],
    [' balcao.zip', ` ${at('balcao.zip')}`],
    ['balcao-data.zip', at('balcao-data.zip')],
    ['lume.zip', at('lume.zip')],
    ['support.json', at('support.json')],
    ['./new', at('new')],
    ['PORT=8081', 'PORT=0'],
    ['data/secret', join(dataDir, 'secret')],
    ['postgres://balcao:…@db/balcao', url],
    ['MASTER_PASSWORD=…', `MASTER_PASSWORD=${PASSWORD}`],
  ].reduce((line, [place, here]) => line.replaceAll(place!, here!), line)

/** What a line asked npm for: its words without `run` and `--`, and the variables that it was given. */
interface Npm {
  words: string[]
  env: Env
}

/** Runs a line in a shell, whose npm writes down what it was asked for: a process of npm and of the product costs seconds. */
function bashIn(folder: string, always: Env) {
  const [bin, asked] = [join(folder, 'bin'), join(folder, 'asked')]
  mkdirSync(bin)
  const npm = `#!/bin/sh\nprintf '%s\\0' "$@" > '${asked}.words'\nenv -0 > '${asked}.env'\n`
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  const env = { ...always, PATH: [bin, process.env.PATH].join(delimiter) }
  const partsOf = (path: string) => readFileSync(path, 'utf8').split('\0').slice(0, -1)
  return async (line: string, more: Env): Promise<{ output: string; npm: Npm | null }> => {
    rmSync(`${asked}.words`, { force: true })
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], {
      cwd: folder,
      env: { ...env, ...more },
    })
    if (!existsSync(`${asked}.words`)) return { output: stdout + stderr, npm: null }
    const words = partsOf(`${asked}.words`).filter(
      (word, place) => !(place === 0 && word === 'run') && word !== '--',
    )
    const variables = partsOf(`${asked}.env`).map(text => text.split(/=(.*)/s).slice(0, 2))
    return { output: '', npm: { words, env: Object.fromEntries(variables) as Env } }
  }
}

/** As bin/prepare.js passes the words on; where that is a function it runs in this process. */
async function runNpm({ words: [name, ...args], env }: Npm) {
  const { how, output } =
    name === 'backup' || name === 'restore'
      ? await runOperatorCommand(backupCommand, env, [name, ...args])
      : name === 'data'
        ? await runOperatorCommand(dataCommand, env, args)
        : await runToEnd(env, [`../src/${name === 'start' ? 'main' : name}.ts`, ...args])
  if (how !== 0) throw new Error(`npm ${name} ${args.join(' ')} ended with ${how}: ${output}`)
  return output
}

/** Serves in this process, as `serve.ts` does in one of its own. */
async function serveHere(env: Env): Promise<Serving> {
  const config = readConfig(env)
  const log = createLog(config)
  const { close, ...reached } = await reachDatabase(config, log)
  const running = await startProduct(config, product, { ...reached, log })
  const stop = async () => {
    await running.stop()
    await close()
  }
  return { url: running.url!, stop }
}
