import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wordsOf } from './feature/words.ts'
import { finished } from './prepare/run.js'
import { here } from './rules/codebase.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 })

const left = /^(node_modules|dist|data|test-results|coverage|\.git|\.balcao)$/
let copy: string
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'balcao-feature-')))
  copyInto(here, copy)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The copy has a migration of its own: what this run shares would not fit it, nor its database the others. */
const { TEST_RUN: _shared, TEST_DATABASE_URL: _database, ...env } = process.env
const node = (...args: string[]) => finished(process.execPath, args, { cwd: copy, quiet: true, env })

/** Runs it and insists that it ends well; shows what it printed when it does not. */
async function passes(...args: string[]) {
  const { code, output } = await node(...args)
  expect(code === 0 ? '' : output).toBe('')
}

/** The first command of the page that names a feature, as it is written there. */
function exampleOf(page: string): string[] {
  const [, example] = /^npm run feature (.+)$/m.exec(readFileSync(join(here, page), 'utf8'))!
  return [...example!.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare!)
    .filter(word => word !== '--')
}

test('the example of CONTRIBUTING writes a whole list: everything that is checked holds, and its own tests pass', async () => {
  const example = exampleOf('CONTRIBUTING.md')
  await passes('bin/feature.ts', ...example, '--path', '/BankHoliday')
  await passes('bin/check.ts')
  const own = [
    `features/${example[0]}`,
    'server/src/tenancy.test.ts',
    'server/src/personal-data.test.ts',
    'platform/work/retention.test.ts',
  ]
  await passes('node_modules/vitest/vitest.mjs', 'run', ...own)

  const again = await node('bin/feature.ts', ...example)
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is there already') })
})

test('a name that the contract has is refused: one name means one thing', async () => {
  const { code, output } = await node(
    'bin/feature.ts',
    'holidays',
    '--pt',
    'a, b',
    '--en',
    'a, b',
    '--es',
    'a, b',
  )
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('Holiday is exported by packages/contract/src/businessHours.ts'),
  ])
})

test('it is asked for what people call it, in three languages', async () => {
  const { code, output } = await node('bin/feature.ts', 'notes', '--pt', 'nota, notas')
  expect([code, output]).toEqual([1, expect.stringContaining('Say --en, --es')])
})

test('a list is named in the plural; its singular follows', () => {
  const said = { pt: 'a, b', en: 'a, b', es: 'a, b' }
  expect(wordsOf('quickAnswers', said)).toMatchObject({ one: 'quickAnswer', path: '/quickAnswers' })
  expect(wordsOf('categories', said, '/CategoryContact')).toMatchObject({
    one: 'category',
    path: '/CategoryContact',
  })
  expect(() => wordsOf('Tag', said)).toThrow('plural')
  expect(() => wordsOf('tags', { ...said, es: 'etiqueta' })).toThrow('--es')
})

/** The project without build output; packages are at the same paths, but for the project's own. */
function copyInto(from: string, to: string) {
  for (const name of readdirSync(from).filter(name => !left.test(name)))
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      filter: path => !left.test(path.slice(from.length).split('/').at(-1)!),
    })
  linkPackages(join(from, 'node_modules'), join(to, 'node_modules'))
  linkPackages(join(from, 'apps/web/node_modules'), join(to, 'apps/web/node_modules'))
  copyTypes(from, to)
}

/** The check's cache of types, which saves a minute: it names packages by their real paths. */
function copyTypes(from: string, to: string) {
  const known = join('.balcao', 'types')
  if (!existsSync(join(from, known))) return
  mkdirSync(join(to, known), { recursive: true })
  const root = relative(join(to, known), from)
  for (const name of readdirSync(join(from, known))) {
    const text = readFileSync(join(from, known, name), 'utf8')
    const moved = text.replace(/"\.\.\/\.\.\/((apps\/web\/)?node_modules\/)/g, `"${root}/$1`)
    writeFileSync(join(to, known, name), moved)
  }
}

function linkPackages(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name !== '@balcao') symlinkSync(join(from, name), join(to, name))
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  }
}
