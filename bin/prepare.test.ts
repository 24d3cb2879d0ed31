import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from './prepare/fingerprint.js'
import { explain } from './prepare/install.js'
import { holding } from './prepare/lock.js'
import { pinnedNode } from './prepare/node.js'
import { finished } from './prepare/run.js'
import { StopHere } from './prepare/stop-here.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'balcao-bin-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('a fingerprint follows contents and names, not clocks, tests or what was built', () => {
  write('web/a.ts', '1')
  const before = fingerprint(folder, ['web'])
  utimesSync(join(folder, 'web/a.ts'), 1, 1)
  write('web/a.test.ts', 'x')
  write('web/dist/a.js', 'x')
  write('web/node_modules/a.js', 'x')
  expect(fingerprint(folder, ['web'])).toBe(before)
  write('web/a.ts', '2')
  const changed = fingerprint(folder, ['web'])
  expect(changed).not.toBe(before)
  write('web/b.ts', '')
  expect(fingerprint(folder, ['web'])).not.toBe(changed)
  expect(fingerprint(folder, ['web'], 'linux')).not.toBe(fingerprint(folder, ['web'], 'darwin'))
})

test('two commands at once install one after the other', async () => {
  const lock = join(folder, 'lock')
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await new Promise(done => setTimeout(done, 50))
    inside--
  }
  await Promise.all([holding(lock, work), holding(lock, work), holding(lock, work)])
  expect(most).toBe(1)
  expect(existsSync(lock)).toBe(false)
})

test('a lock left by a killed command holds nobody up', async () => {
  const dead = spawnSync(process.execPath, ['-e', '0'])
  write('lock', String(dead.pid))
  expect(await holding(join(folder, 'lock'), () => 'done')).toBe('done')
})

test('a failed install lets the next one in and says what failed', async () => {
  const lock = join(folder, 'lock')
  await expect(holding(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  expect(await holding(lock, () => 'done')).toBe('done')
})

test.skipIf(process.platform !== 'linux')(
  'where this user may not write one line says what the owner runs once (Linux has /sys)',
  async () => {
    const error = await holding('/sys/balcao/lock', () => 'done').catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(StopHere)
    expect((error as Error).message).toMatch(
      /^\/sys\/balcao cannot be written by this user \(E\w+\), .* as the owner/,
    )
  },
)

test('an unreachable registry is told as that, with what npm said', () => {
  const said = explain(1, 'npm error code ENOTFOUND\nnpm error network request to https://registry failed')
  expect(said).toMatch(/ENOTFOUND[\s\S]+registry cannot be reached/)
})

test('a platform without a pinned Node takes the one at hand when it is new enough', () => {
  expect(pinnedNode(folder, 'sunos-x64')).toBe(process.execPath)
})

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the program and its exit code comes back',
  async signal => {
    const up = join(folder, `${signal}.up`)
    const program = `process.on('${signal}', () => process.exit(7)); setInterval(() => {}, 1000);
      fs.writeFileSync('${up}', '')`
    write(
      'outer.mjs',
      `import { existsSync } from 'node:fs'
    import { run } from '${new URL('./prepare/run.js', import.meta.url)}'
    setInterval(() => existsSync('${up}') && process.kill(process.pid, '${signal}'), 100)
    await run(process.execPath, ['-e', ${JSON.stringify(program)}], {})`,
    )
    expect(await finished(process.execPath, [join(folder, 'outer.mjs')], { quiet: true })).toMatchObject({
      code: 7,
    })
  },
)
