import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ConfigError } from './config.ts'
import { lockDataDir } from './lock.ts'

let dataDir: string
const started: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'balcao-lock-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit')
  await rm(dataDir, { recursive: true })
})

/** Another process that takes the folder and keeps it; answers its first line. */
async function anotherProcess(folder = dataDir) {
  const program = `
    import { lockDataDir } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
    lockDataDir(${JSON.stringify(folder)}).then(() => console.log('has it'), error => console.log(error.message))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, says: line.toString().trim() }
}

it('a second process on the same folder is refused in one line with the folder and the owner', async () => {
  const first = await anotherProcess()
  expect(first.says).toBe('has it')

  const refused = await lockDataDir(dataDir).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigError)
  expect((refused as Error).message).toBe(
    `DATA_DIR ${dataDir} is in use by process ${first.child.pid}: stop it, or give this one a folder of its own`,
  )
  expect((await anotherProcess()).says).toContain(`in use by process ${first.child.pid}`)
})

it('a folder whose owner was killed is free again at once', async () => {
  const { child } = await anotherProcess()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await lockDataDir(dataDir)
  expect((await anotherProcess()).says).toContain(`in use by process ${process.pid}`)
  lock.release()
})

it('of many that start at once exactly one gets the folder', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => anotherProcess()))
  expect(all.filter(({ says }) => says === 'has it')).toHaveLength(1)
})

it('a released folder can be taken again, and one process cannot take it twice', async () => {
  const lock = await lockDataDir(dataDir)
  await expect(lockDataDir(dataDir)).rejects.toThrow(`in use by process ${process.pid}`)
  lock.release()
  const again = await lockDataDir(dataDir)
  again.release()
})

it('other folders are not disturbed, and one that is missing is made', async () => {
  const lock = await lockDataDir(dataDir)
  expect((await anotherProcess(join(dataDir, 'deeper', 'still'))).says).toBe('has it')
  lock.release()
})

it('a folder that cannot be used says why', async () => {
  await writeFile(join(dataDir, 'file'), '')
  await expect(lockDataDir(join(dataDir, 'file'))).rejects.toThrow(/^DATA_DIR .*file cannot be used \(/)
  await writeFile(
    join(dataDir, 'lock'),
    'something else altogether, and long enough to be looked at'.repeat(20),
  )
  await expect(lockDataDir(dataDir)).rejects.toThrow('cannot be used (file is not a database')
})
