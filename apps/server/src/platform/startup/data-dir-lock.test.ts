import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDataDir, type Sharing, tryLock } from './data-dir-lock.ts'

let dataDir: string
const started: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'balcao-lock-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit')
  await rm(dataDir, { recursive: true })
})

const isLocked = (sharing: Sharing) => {
  const lock = tryLock(dataDir, 'lock', sharing)
  lock?.release()
  return lock === null
}

/** Another process that tries to lock the folder and keeps the lock; answers whether it could. */
async function anotherProcess(sharing: Sharing = 'exclusive') {
  const program = `
    import { tryLock } from ${JSON.stringify(new URL('./data-dir-lock.ts', import.meta.url).href)}
    console.log(tryLock(${JSON.stringify(dataDir)}, 'lock', '${sharing}') ? 'has it' : 'is refused')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, says: line.toString().trim() }
}

it('a folder that one process has is refused to a second one, and free at once when its owner is killed', async () => {
  const first = await anotherProcess()
  expect(first.says).toBe('has it')
  expect([isLocked('exclusive'), isLocked('shared')]).toEqual([true, true])
  expect((await anotherProcess()).says).toBe('is refused')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  expect(isLocked('exclusive')).toBe(false)
})

it('of many that start at once exactly one gets the folder', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => anotherProcess()))
  expect(all.filter(({ says }) => says === 'has it')).toHaveLength(1)
})

it('several may share the folder; nobody has it alone then', async () => {
  expect((await anotherProcess('shared')).says).toBe('has it')
  const own = tryLock(dataDir, 'lock', 'shared')
  expect(own).not.toBeNull()
  expect((await anotherProcess()).says).toBe('is refused')
  own!.release()
})

it('a released folder can be taken again, and one process cannot take it twice', () => {
  const lock = tryLock(dataDir, 'lock', 'exclusive')!
  expect(isLocked('exclusive')).toBe(true)
  lock.release()
  expect(isLocked('exclusive')).toBe(false)
})

it('a folder that is missing is made, and one that cannot be used says why', async () => {
  await openDataDir(join(dataDir, 'deeper', 'still'))
  expect(await modeOf(join(dataDir, 'deeper'))).toBe('700')
  await writeFile(join(dataDir, 'file'), '')
  await expect(openDataDir(join(dataDir, 'file'))).rejects.toThrow(/^DATA_DIR .*file cannot be used \(/)
  await writeFile(
    join(dataDir, 'lock'),
    'something else altogether, and long enough to be looked at'.repeat(20),
  )
  expect(() => tryLock(dataDir, 'lock', 'exclusive')).toThrow('cannot be used (file is not a database')
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
const isRoot = process.getuid?.() === 0

it('a folder that others could enter is closed, before anything is written into it', async () => {
  await chmod(dataDir, 0o755)
  await openDataDir(dataDir)
  expect(await modeOf(dataDir)).toBe('700')
})

it.skipIf(!isRoot)(
  'a folder of another user is refused with the ways on, and left as it is (root alone may give one away)',
  async () => {
    await chmod(dataDir, 0o755)
    await chown(dataDir, 65_534, 65_534)
    await expect(openDataDir(dataDir)).rejects.toThrow(
      /cannot be used \(it belongs to user 65534, and this process is user 0: .* such as \S+\/balcao\)$/,
    )
    expect(await modeOf(dataDir)).toBe('755')
    await openDataDir(join(dataDir, 'balcao'))
  },
)

it.skipIf(process.platform !== 'linux')(
  'a path where no folder can be is named as that (Linux has /proc)',
  async () => {
    await expect(openDataDir('/proc/x')).rejects.toThrow(
      'DATA_DIR /proc/x cannot be used (ENOENT: no folder can be made at this path)',
    )
  },
)
