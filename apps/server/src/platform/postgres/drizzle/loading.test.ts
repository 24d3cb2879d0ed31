import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const drizzle = dirname(fileURLToPath(import.meta.resolve('drizzle-orm')))

test('the modules of drizzle-orm are what Node is told they are: ES modules that name each other in full', () => {
  const { type } = JSON.parse(readFileSync(join(drizzle, 'package.json'), 'utf8')) as { type: string }
  expect(type).toBe('module')
  const modules = readdirSync(drizzle, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.js'),
  )
  const named = modules.flatMap(path =>
    Array.from(
      readFileSync(join(drizzle, path), 'utf8').matchAll(/\b(?:from|import) "(\.[^"]*)"/g),
      ([, name]) => name!,
    ),
  )
  expect(named.length).toBeGreaterThan(1_000)
  expect(named.filter(name => !name.endsWith('.js'))).toEqual([])
})
