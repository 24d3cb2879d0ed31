import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here } from './rules/codebase.ts'

const read = (path: string) => readFileSync(join(here, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operating.md'])(
  'every command and file that %s names exists',
  page => {
    const text = read(page)
    const found = (pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, name]) => name!))]
    const commands = found(/\bnpm run (?:-s )?([\w:]+)/g)
    expect(commands.length).toBeGreaterThan(3)
    expect(commands.filter(name => !scripts[name])).toEqual([])
    const files = found(/\b((?:apps\/server\/src|bin|deploy)\/[\w/.-]+\.\w+|deploy\/Caddyfile)\b/g)
    expect(files.filter(path => !existsSync(join(here, path)))).toEqual([])
  },
)
