import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the contract is where its package exports it, and is TypeScript in modules', () => {
  const root = new URL('../../../../../', import.meta.url)
  const read = (path: string) => JSON.parse(readFileSync(new URL(`${path}/package.json`, root), 'utf8'))
  expect(read('packages/contract').exports).toEqual({ './*': './src/*' })
  expect(['packages/contract', 'apps/server', '.'].map(path => read(path).type)).toEqual(
    Array(3).fill('module'),
  )
})
