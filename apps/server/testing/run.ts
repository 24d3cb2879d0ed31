import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './postgres.ts'

/** Before the first test file: a folder for what the files of this run share. After the last: it is gone again. */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-run-'))
  process.env.TEST_RUN = folder
  mkdirSync(join(folder, 'databases'))
  return async () => {
    const server = process.env.TEST_DATABASE_URL
    for (const name of readdirSync(join(folder, 'databases')))
      await ask(server!, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

const folder = () => process.env.TEST_RUN!

/** Makes something that others copy, once a run; answers what whoever made it said of it. */
export async function madeOnce(name: string, make: () => Promise<string>): Promise<string> {
  const path = join(folder(), name)
  while (!existsSync(path)) {
    if (!isMine(`${path}.lock`)) await sleep(50)
    else {
      writeFileSync(`${path}.new`, await make())
      renameSync(`${path}.new`, path)
    }
  }
  return readFileSync(path, 'utf8')
}

/** Whether this is the first who asks. */
function isMine(lock: string) {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** A folder of this run. */
export function sharedFolder(name: string): string {
  const path = join(folder(), name)
  mkdirSync(path, { recursive: true })
  return path
}

/** An empty database of this run. */
export async function sharedDatabase(server: string, as: string): Promise<{ url: string; name: string }> {
  const name = `${basename(folder()).toLowerCase().replaceAll('-', '_')}_${as}`
  writeFileSync(join(folder(), 'databases', name), '')
  await ask(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, name }
}
