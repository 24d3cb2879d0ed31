import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type EmbeddedStore, embeddedStore, kill, storeIn } from '../../testing/embedded.ts'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { freshFolder } from '../../testing/process.ts'
import { openTestApp, until } from '../../testing/test-app.ts'
import { openDatabase } from '../platform/postgres/db.ts'
import { openEmbedded } from '../platform/postgres/embedded/embedded.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const isRoot = process.getuid?.() === 0
const notLinux = process.platform === 'linux' ? '' : ' (reads /proc, which Linux has)'
const noMount = canMount() ? '' : ' (nobody but root on Linux may mount a disk of its own)'

const leftovers: (() => unknown)[] = []
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove()
})
async function begun(): Promise<EmbeddedStore> {
  const store = await embeddedStore()
  leftovers.push(store.remove)
  return store
}
function empty() {
  const { path, remove } = freshFolder()
  leftovers.push(remove)
  return path
}
const open = (dataDir: string) => openEmbedded(dataDir, { shared: false })
/** All its files with their sizes. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !/^lock|\.pid$|^postgres\.log/.test(name))
    .sort()

test('a folder in which a restore was broken off is refused in one line, and nothing is made in it', async () => {
  const dataDir = empty()
  mkdirSync(join(dataDir, 'restoring'))
  await expect(open(dataDir)).rejects.toThrow('holds a restore that has not come to its end')
  expect(readdirSync(dataDir)).toEqual(['restoring'])
})

describe.skipIf(notLinux)(`a folder${notLinux}`, () => {
  test('whose postmaster.pid names a living process of somebody else starts, and leaves that one alone', async () => {
    const store = await begun()
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
    leftovers.push(() => stranger.kill())
    const first = await open(store.dataDir)
    for (const pid of store.postgres()) kill(pid)
    await until(() => store.postgres().length === 0)
    await first.close()
    const file = join(store.dataDir, 'postgres', 'postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'))

    const again = await open(store.dataDir)
    expect(store.server()!.isReady).toBe(true)
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
    expect((await store.rows('select count(*)::int as many from users'))[0]!.many).toBeGreaterThan(3)
    await again.close()
    expect(store.postgres()).toEqual([])
  })

  test('of another major version is refused in one line and not touched', async () => {
    const store = await begun()
    writeFileSync(join(store.dataDir, 'postgres', 'PG_VERSION'), '15\n')
    const before = contentOf(store.dataDir)
    await expect(open(store.dataDir)).rejects.toThrow(
      /^DATA_DIR \S+ was made by PostgreSQL 15, and this version brings 18: nothing was changed\. Start the version that made it, or restore a backup into another folder$/,
    )
    expect(contentOf(store.dataDir)).toEqual(before)
  })

  test('with the database of an earlier version is refused in one line and not touched', async () => {
    const dataDir = empty()
    mkdirSync(join(dataDir, 'db'))
    writeFileSync(join(dataDir, 'db', 'PG_VERSION'), '17\n')
    await expect(open(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} holds the database of an earlier version (in ${dataDir}/db), which this one does not read: nothing was changed. Give another DATA_DIR`,
    )
    expect(contentOf(dataDir)).toEqual(['db', 'db/PG_VERSION'])
    expect(readFileSync(join(dataDir, 'db', 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test('that cannot be written is refused in one line', async () => {
    const store = await begun()
    if (isRoot && !noMount) {
      execFileSync('mount', ['--bind', store.dataDir, store.dataDir])
      execFileSync('mount', ['-o', 'remount,ro,bind', store.dataDir])
      leftovers.push(() => execFileSync('umount', [store.dataDir]))
    } else {
      chmodSync(store.dataDir, 0o500)
      leftovers.push(() => chmodSync(store.dataDir, 0o700))
    }
    await expect(open(store.dataDir)).rejects.toThrow(
      /^DATA_DIR \S+ cannot be used \((EROFS|EACCES)[^\n]*\)$/,
    )
    expect(store.postgres()).toEqual([])
  })
})

describe.skipIf(noMount)(`a disk that is full${noMount}`, () => {
  /** A separate disk in memory; `fill` uses up the free space, `free` releases it. */
  function smallDisk(megabytes: number) {
    const folder = empty()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
    leftovers.push(() => execFileSync('umount', ['--lazy', folder]))
    const ballast = join(folder, 'ballast')
    return {
      folder,
      fill() {
        const piece = Buffer.alloc(64 * 1024)
        try {
          for (;;) appendFileSync(ballast, piece)
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
        }
      },
      free: () => rmSync(ballast),
    }
  }

  test('at the first start says so in one line, and nothing half made is left', async () => {
    const { folder } = smallDisk(20)
    await expect(open(folder)).rejects.toThrow(
      /^DATA_DIR \S+: no database could be made \(the disk is full: FATAL: [^\n]*\)$/,
    )
    expect(contentOf(folder)).toEqual([])
  })

  test('while people work refuses what they write, and takes it again once there is room: nothing is lost', async () => {
    const disk = smallDisk(400)
    const origin = await begun()
    execFileSync('cp', ['-a', `${origin.dataDir}/.`, disk.folder])
    const store = storeIn(disk.folder, () => {})
    const embedded = await open(disk.folder)
    leftovers.push(embedded.close)
    // the folder was begun with its own secret
    const JWT_SECRET = readFileSync(join(disk.folder, 'secret'), 'utf8').trim()
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const env = { JWT_SECRET, DATA_DIR: disk.folder, LOG_LEVEL: 'info' }
    const app = await openTestApp(env, { database: openDatabase(embedded.url), logTo })
    leftovers.push(app.close)
    embedded.watch(app.platform.log)
    const health = async () => (await fetch(`${app.url}/health`)).json() as Promise<Record<string, unknown>>
    const admin = await app.as('admin@balcao.test')
    const params = { whatsappId: admin.user.whatsappId! }
    await until(async () => (await admin.get(connections.show, { params })).status === 'CONNECTED')
    const taken: string[] = []
    const write = async (body: string) => {
      const answer = await admin.call(simulator.write, { params, body: { number: '5511989900001', body } })
      if (answer.status === 200) taken.push(body.slice(0, 20))
      return answer.status
    }
    // WAL has a segment allocated: more than that is written until the disk is full
    const long = (word: number) => `${word} `.padEnd(20, '.').padEnd(4_000, `${Math.random()}`)
    for (let word = 0; word < 5; word++) expect(await write(long(word))).toBe(200)

    disk.fill()
    let word = 5
    const refused = await until(async () => {
      const status = await write(long(word++))
      return status !== 200 && status
    }, 100_000)
    expect(refused).toBe(503)
    expect(await health()).toMatchObject({ disk: 'full' })
    const told = () => lines.filter(line => line.includes('the disk of DATA_DIR is full'))
    await until(() => told().length > 0)
    // a server that ended is not started where it finds no room
    kill(store.server()!.pid)
    await until(async () => (await health()).status === 'unavailable')
    expect(await health()).toMatchObject({
      ...{ database: 'down', disk: 'full' },
      why: 'the disk of DATA_DIR is full, and the database does not run until there is room',
    })
    disk.free()
    await until(async () => (await write(long(word++))) === 200, 30_000)
    const isTaken = async () => (await figuresOf(store, '5511989900001'))['lost in'] === 0
    await until(isTaken, 30_000).catch(() => {})
    expect(soundFigures(await figuresOf(store, '5511989900001'))).toEqual({})
    const rows = await store.rows(
      `select left(body, 20) as said from simulator_messages where number = '5511989900001'`,
    )
    const kept = new Set(rows.map(({ said }) => said))
    expect(taken.filter(body => !kept.has(body))).toEqual([])
    expect(await health()).toMatchObject({ status: 'ok', database: 'up' })
    expect(told()).toHaveLength(1)
    expect(lines.filter(line => line.includes('"stack":'))).toEqual([])
    console.log(`a full disk: ${word} were written, ${taken.length} taken, ${lines.length} lines of log`)
  })
})

function canMount(): boolean {
  if (process.platform !== 'linux' || !isRoot) return false
  const { path, remove } = freshFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' })
    execFileSync('umount', [path])
    return true
  } catch {
    return false // a container may be without the right
  } finally {
    remove()
  }
}
