import { finished } from '../prepare/run.js'
import { isTest, type Rule } from './codebase.ts'
import { beyondExceptions } from './exceptions.ts'

interface Report {
  diagnostics: { category: string; location: { path: string; start: { line: number } } }[]
}

/** Functions stay below 40 lines, components below 120 (STYLE.md): counted by the linter, in bin/rules/short-functions.json. */
export const shortFunctions: Rule = {
  name: 'functions are short',
  async find(house) {
    const found = new Map<string, string[]>()
    for (const { category, location } of (await lint(house.root)).diagnostics) {
      if (!category.endsWith('noExcessiveLinesPerFunction') || isTest(location.path)) continue
      found.set(location.path, [...(found.get(location.path) ?? []), `line ${location.start.line}`])
    }
    return beyondExceptions(house, 'long functions', found, 'split them by what they do')
  },
}

async function lint(cwd: string): Promise<Report> {
  const args = [
    'node_modules/@biomejs/biome/bin/biome',
    'lint',
    '--config-path=bin/rules/short-functions.json',
    '--reporter=json',
    '--max-diagnostics=none',
    'apps',
    'packages',
    'testing',
    'bin',
    'bench',
  ]
  const { output } = await finished(process.execPath, args, { cwd, quiet: true })
  return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Report
}
