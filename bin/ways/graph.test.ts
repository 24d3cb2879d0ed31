import { expect, test } from 'vitest'
import { sourceOf } from '../rules/codebase.ts'
import { followWays } from './follow.ts'
import { referencesIn } from './graph.ts'

const follow = (files: Record<string, string>, path: string, name: string) => {
  const sources = Object.entries(files).map(([file, text]) => sourceOf(file, text))
  return referencesIn({ root: '', sources })
    .references({ path, name })
    .map(to => `${to.path}#${to.name}`)
    .sort()
}

test('a function refers to what it calls: in its file, through imports with other names and through what a file passes on', () => {
  const files = {
    'apps/a.ts': `
      import { send as leave } from './passed.ts'
      import type { Row } from './types.ts'
      const LIMIT = 3
      export const start = (row: Row) => { if (row.count < LIMIT) leave(row.next, { retry }) }
      function retry() {}
      function unrelated() {}`,
    'apps/passed.ts': `export { post as send } from './b.ts'; export * from './c.ts'`,
    'apps/b.ts': `export async function post() { return count }; const count = 1`,
    'apps/types.ts': `export interface Row { count: number }`,
  }
  expect(follow(files, 'apps/a.ts', 'start')).toEqual([
    'apps/a.ts#LIMIT',
    'apps/a.ts#retry',
    'apps/b.ts#post',
  ])
  expect(follow(files, 'apps/b.ts', 'post')).toEqual(['apps/b.ts#count'])
})

test('properties, keys and types are no references; components are', () => {
  const files = {
    'apps/a.tsx': `
      import { List } from './list.tsx'
      const name = 1
      type Shape = typeof name
      export function Screen(given: Shape) { return <List name={given.name} keys={{ name: 2 }} /> }`,
    'apps/list.tsx': `export function List() { return null }`,
  }
  expect(follow(files, 'apps/a.tsx', 'Screen')).toEqual(['apps/list.tsx#List'])
})

test('a way that begins at nothing is an error', () => {
  expect(() => followWays({ root: '', sources: [] })).toThrow(/^no way begins at apps\//)
})
