import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesOf } from './feature/files.ts'
import { wordsOf } from './feature/words.ts'
import { finished } from './prepare/run.js'
import { featuresMeet } from './rules/features-meet.ts'
import { here, readHouse } from './rules/house.ts'
import { names } from './rules/names.ts'
import { wallsStand } from './rules/walls.ts'

// inside the checkout, so that node_modules is found
const copy = join(here, '.balcao', `scaffold-${process.pid}`)
const parts = ['packages/contract', 'apps/server', 'apps/web', 'testing', 'bin', 'e2e']
const skipped = /\/(node_modules|dist|data)(\/|$)|vite\.config\.ts$|\.(test|e2e)\.tsx?$/

beforeAll(() => {
  for (const part of parts)
    cpSync(join(here, part), join(copy, part), {
      recursive: true,
      filter: from => !skipped.test(from.slice(here.length)),
    })
  cpSync(join(here, 'tsconfig.json'), join(copy, 'tsconfig.json'))
  const base = JSON.parse(readFileSync(join(here, 'tsconfig.base.json'), 'utf8'))
  const paths = { '@balcao/contract/*': [join(copy, 'packages/contract/src/*')] }
  base.compilerOptions = { ...base.compilerOptions, paths }
  writeFileSync(join(copy, 'tsconfig.base.json'), JSON.stringify(base))
  for (const { path, text } of filesOf('loose-leaves')) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test.each(['packages/contract', 'apps/server', 'apps/web', '.'])(
  'a new feature compiles in %s as it is written',
  async folder => {
    const compiler = join(here, 'node_modules/typescript/bin/tsc')
    const { code, output } = await finished(process.execPath, [compiler, '-p', folder], {
      cwd: copy,
      quiet: true,
    })
    expect(output).toBe('')
    expect(code).toBe(0)
  },
  60_000,
)

test('a new feature keeps the rules of the house', async () => {
  const house = readHouse(copy)
  const breaches = await Promise.all([names, wallsStand, featuresMeet].map(rule => rule.find(house)))
  expect(breaches.flat().filter(breach => breach.includes('loose-leaves'))).toEqual([])
})

test('a feature is named in the plural; its singular follows', () => {
  expect(wordsOf('quick-answers')).toMatchObject({
    many: 'quickAnswers',
    one: 'quickAnswer',
    table: 'quick_answers',
  })
  expect(wordsOf('categories')).toMatchObject({ one: 'category', One: 'Category' })
  expect(() => wordsOf('Tag')).toThrow('plural')
})
