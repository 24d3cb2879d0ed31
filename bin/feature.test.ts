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
import { fieldsOf, USUAL } from './feature/fields.ts'
import { filesOf } from './feature/golden.ts'
import { rightOf } from './feature/right.ts'
import { wordsOf } from './feature/words.ts'
import { finished } from './prepare/run.js'
import { here, workspaces } from './rules/codebase.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 })

const left = /^(node_modules|dist|data|test-results|coverage|\.git|\.balcao)$/
let copy: string
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'balcao-feature-')))
  copyInto(here, copy)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const none = { pt: [], en: [], es: [] }

/** The copy has a migration of its own: what this run shares would not fit it, but its server does. */
const { TEST_RUN: _shared, ...env } = process.env
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

test('the example of CONTRIBUTING writes a whole list with fields of every kind and a right: everything that is checked holds, and its tests pass', async () => {
  const example = exampleOf('CONTRIBUTING.md')
  const name = example[0]!
  await passes('bin/feature.ts', ...example, '--path', '/BankHoliday')
  const lists = [
    ...['src/tenancy', 'src/access', 'src/personal-data', 'src/documents.entities'],
    ...['platform/work/retention', 'permissions/permissions.flags'],
  ]
  const titles = [
    ...titlesIn(join(copy, 'apps/server/src/features', name)),
    ...titlesIn(join(copy, 'apps/web/src/features', name)),
    ...[
      '/BankHoliday',
      'allowBankHolidays',
      'hear nothing',
      'shows a company no row',
      'each table of the database',
      'every served route',
      'every call that needs a right',
    ],
    ...['every column that can hold words', 'a permission group keeps'],
  ]
  const only = ['-t', titles.map(title => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')]
  await Promise.all([
    passes('bin/check.ts'),
    passes('node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', `features/${name}`, ...lists, ...only),
  ])

  const again = await node('bin/feature.ts', ...example)
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is there already') })
})

test('without fields and a right a list has a name and a description, and what is shared is deleted by who may', () => {
  const words = wordsOf('notes', { pt: 'nota, notas', en: 'note, notes', es: 'nota, notas' })
  const files = filesOf(here, { words, fields: fieldsOf(USUAL, none), right: null })
  const textOf = (end: string) => files.find(({ path }) => path.endsWith(end))!.text
  expect(textOf('src/notes.ts')).toMatch(/name: text\(2, 50\),\s+description: text\(2, 1_000\)/)
  expect(textOf('notes-screen.tsx')).toContain("useWhyNot('shared:delete')")
  expect(files.map(({ path }) => path)).not.toContain('packages/contract/src/permissions.rules.ts')
  for (const { path, text, isNew } of files)
    if (isNew) expect([path, /quickAnswer|shortcut|message\b/.exec(text)?.[0]]).toEqual([path, undefined])
})

test.each([
  ['date:date', 'The first field names a row'],
  ['name:text?', 'The first field names a row'],
  ['name:text, when:day', 'A field is written such as note:text?'],
  ['name:text, id:number', 'A field cannot be called id'],
  ['name:text, name:text', 'name is a field twice'],
  ['name:text, weight:number', 'Say what the fields are called'],
])('fields that cannot be are refused with the reason: %s', (fields, why) => {
  expect(() => fieldsOf(fields, none)).toThrow(why)
})

test('a field has the label that it was given, or the usual one', () => {
  const labels = { pt: ['título', 'peso'], en: ['title', 'weight'], es: ['título', 'peso'] }
  expect(fieldsOf('name:text, weight:number', labels)[1]!.label).toEqual({
    pt: 'Peso',
    en: 'Weight',
    es: 'Peso',
  })
  expect(fieldsOf('name:text, date:date?', none)[1]!.label).toEqual({ pt: 'Data', en: 'Date', es: 'Fecha' })
  expect(() => fieldsOf('name:text', labels)).toThrow('--pt names 2 fields, and there are 1')
})

test('a right is new, or one that admins have', () => {
  const rules = readFileSync(join(here, 'packages/contract/src/permissions.rules.ts'), 'utf8')
  expect(rightOf('bankHolidays', rules)).toEqual({ name: 'bankHolidays', isNew: true })
  expect(rightOf('administration', rules)).toEqual({ name: 'administration', isNew: false })
  expect(() => rightOf('webhooks', rules)).toThrow('there already')
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

/** How the tests of a folder are called, up to what a row of a table adds. */
const titlesIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => /\.test\.tsx?$/.test(name))
    .flatMap(name => [...readFileSync(join(folder, name), 'utf8').matchAll(/^(?:test|\]\))\(\s*'([^'%]+)/gm)])
    .map(([, title]) => title!)

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

/** Of a changed file only its importers are checked again, where the whole project would be: as the cache has to say, too. */
const BY_IMPORTERS = '"assumeChangesOnlyAffectDirectDependencies": true,'

/** The check's cache of types, which saves a minute: it names packages by their real paths. */
function copyTypes(from: string, to: string) {
  const config = join(to, 'tsconfig.base.json')
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(/"compilerOptions": \{/, `$&\n    ${BY_IMPORTERS}`),
  )
  for (const folder of ['.', ...workspaces]) {
    const [known, its] = [join(from, folder, '.balcao'), join(to, folder, '.balcao')]
    if (!existsSync(join(known, 'types.json'))) continue
    mkdirSync(its, { recursive: true })
    const text = readFileSync(join(known, 'types.json'), 'utf8')
    const moved = text
      .replace(
        /"((?:\.\.\/)+)((?:[\w-]+\/)*node_modules\/)/g,
        (_, up, rest) => `"${relative(its, join(known, up))}/${rest}`,
      )
      .replace('"options":{', `$&${BY_IMPORTERS}`)
    writeFileSync(join(its, 'types.json'), moved)
  }
}

function linkPackages(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name !== '@balcao') symlinkSync(join(from, name), join(to, name))
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  }
}
