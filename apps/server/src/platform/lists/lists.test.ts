import { categories } from '@balcao/contract/categories.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  for (const name of ['Ângela', 'bruno', 'Conceição', 'conceito', 'Zélia'])
    await admin.get(categories.create, { body: { name, color: '#112233' } })
})
afterAll(() => app.close())

test('lists sort names without regard to case and accents, whatever the database’s collation', async () => {
  const page = await admin.get(categories.list, { query: {} })
  const names = page.categoryContact.map(({ name }) => name)
  const own = names.filter(name => ['Ângela', 'bruno', 'Conceição', 'conceito', 'Zélia'].includes(name))
  expect(own).toEqual(['Ângela', 'bruno', 'Conceição', 'conceito', 'Zélia'])
})

test.each(['conceicao', 'CONCEIÇÃO', 'conceic\u0327a\u0303o'])('%s finds Conceição', async searchParam => {
  const page = await admin.get(categories.list, { query: { searchParam } })
  expect(page.categoryContact.map(({ name }) => name)).toEqual(['Conceição'])
})

test('the database folds words as the contract does', async () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'aAáÁçÇñÑõÕüÜ\u0301\u0327 -1%_ßøŠž日б'),
    maxLength: 12,
  })
  const words = fc.sample(letters, { numRuns: 200, seed: 7 })
  const rows = await app.database.transaction('', sql =>
    rowsFrom<{ word: string }>(
      sql,
      tag`select folded(word) as word from json_array_elements_text(${JSON.stringify(words)}::json) with ordinality w(word, n) order by n`,
    ),
  )
  expect(rows.map(({ word }) => word)).toEqual(words.map(folded))
})
