import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../../config.ts'
import { openCluster } from './cluster.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder of data with these files, as a damage left it. */
function dataWith(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-cluster-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const whole = { 'postgres/PG_VERSION': '18\n', 'postgres/base/1/1259': 'rows', 'postgres.password': 'x' }

test.each([
  ['PG_VERSION is gone', { ...whole, 'postgres/PG_VERSION': undefined }, 'postgres/PG_VERSION is missing'],
  ['PG_VERSION is empty', { ...whole, 'postgres/PG_VERSION': '' }, 'postgres/PG_VERSION is missing'],
  ['the password is gone', { ...whole, 'postgres.password': undefined }, 'postgres.password is missing'],
  ['the folder is gone', { 'postgres.password': 'x', secret: 'y' }, 'its database'],
  ['it is of another version', { ...whole, 'postgres/PG_VERSION': '12\n' }, 'was made by PostgreSQL 12'],
])('a database of which %s is refused in one line, and nothing of it is replaced', async (_, files, line) => {
  const given = Object.entries(files).filter((one): one is [string, string] => one[1] !== undefined)
  const folder = dataWith(Object.fromEntries(given))
  const before = readdirSync(folder, { recursive: true }).toSorted()
  const error = await openCluster(folder).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as Error).message).toContain(line)
  expect((error as Error).message).not.toContain('\n')
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before)
})
