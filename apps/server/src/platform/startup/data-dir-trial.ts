import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A process of its own (data-dir-lock.ts): `data-dir-trial.ts FOLDER MODE` prints why the folder cannot be used, or nothing. */
const [, , dataDir, given] = process.argv
const mode = Number.parseInt(given!, 8)
/** A line of its standard output for each step that was done. */
const did = (step: string) => process.stdout.write(`${step}\n`)

try {
  did('started')
  make(dataDir!)
  did('made')
  const why = closed(dataDir!)
  if (why) process.stderr.write(why)
  else {
    did('closed')
    writeFileSync(join(dataDir!, 'trial'), '')
    did('written')
    rmSync(join(dataDir!, 'trial'), { force: true })
  }
} catch (error) {
  process.stderr.write(explained(error as NodeJS.ErrnoException))
}

/** Not `recursive` of Node, which tries for ever where the parent is there and nothing can be made in it (/proc). */
function make(folder: string) {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    make(dirname(folder))
    mkdirSync(folder, { mode })
  }
}

/** Closes it to other users; answers why that cannot be. On Windows rights are inherited from the folder above. */
function closed(folder: string): string {
  const { uid, mode: found } = folderAt(folder)
  const own = process.geteuid?.()
  if (own === undefined) return ''
  if (uid !== own)
    return `it belongs to user ${uid}, and this process is user ${own}: start it as that user, change the owner, or name a folder inside, such as ${join(folder, 'balcao')}`
  if ((found & 0o777) !== mode) chmodSync(folder, mode)
  const left = statSync(folder).mode & 0o777 & ~mode
  return left === 0 ? '' : 'others may enter it, and its mode cannot be changed here'
}

function folderAt(path: string) {
  const found = statSync(path)
  if (!found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' })
  return found
}

function explained({ code = '', message }: NodeJS.ErrnoException): string {
  const right = `user ${process.geteuid?.() ?? 'of this process'} has no right to it`
  const reasons: Record<string, string> = {
    ENOENT: 'no folder can be made at this path',
    ENOTDIR: 'a part of this path is a file',
    EACCES: right,
    EPERM: right,
  }
  return reasons[code] ? `${code}: ${reasons[code]}` : message
}
