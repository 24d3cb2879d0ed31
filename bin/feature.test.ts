import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const node = (...args: string[]) => finished(process.execPath, args, { cwd: copy, quiet: true })

/** Runs it and insists that it ends well; shows what it printed when it does not. */
async function passes(...args: string[]) {
  const { code, output } = await node(...args)
  expect(code === 0 ? '' : output).toBe('')
}

test('a new list is written whole: everything that is checked holds, and its own tests pass', async () => {
  const said = [
    '--pt',
    'feriado, feriados',
    '--en',
    'bank holiday, bank holidays',
    '--es',
    'feriado, feriados',
  ]
  await passes('bin/feature.ts', 'bankHolidays', ...said, '--path', '/BankHoliday')
  await passes('bin/check.ts')
  await passes('node_modules/vitest/vitest.mjs', 'run', 'apps/server/src/features/bankHolidays')

  const again = await node('bin/feature.ts', 'bankHolidays', ...said)
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is there already') })
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

/** The project without what is made from it; packages stand where they stood, but for the project's own. */
function copyInto(from: string, to: string) {
  for (const name of readdirSync(from).filter(name => !left.test(name)))
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      filter: path => !left.test(path.slice(from.length).split('/').at(-1)!),
    })
  linkPackages(join(from, 'node_modules'), join(to, 'node_modules'))
  linkPackages(join(from, 'apps/web/node_modules'), join(to, 'apps/web/node_modules'))
}
function linkPackages(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name !== '@balcao') symlinkSync(join(from, name), join(to, name))
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  }
}
