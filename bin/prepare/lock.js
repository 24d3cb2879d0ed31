import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { say } from './say.js'
import { StopHere } from './stop-here.js'

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/**
 * Does the work while no other process of this checkout does; waits for its turn. A dead holder is passed over. Throws
 * StopHere where this user may not write.
 */
export async function holding(path, work) {
  for (let waited = 0; !takeOrExplain(path); waited += 200) {
    if (waited === 1000) say('Another command is installing or building here: waiting for it.')
    await pause(200)
  }
  const letGo = () => rmSync(path, { force: true })
  process.once('exit', letGo)
  try {
    return await work()
  } finally {
    process.removeListener('exit', letGo)
    letGo()
  }
}

function takeOrExplain(path) {
  try {
    return take(path)
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS)$/.test(error.code)) throw error
    throw new StopHere(
      `${dirname(path)} cannot be written by this user (${error.code}), and not everything is installed and built here: run npm start -- --version once as the owner of this folder. Then any user starts it (docs/operating.md)`,
    )
  }
}

function take(path) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned(path)) moveAway(path)
    return false
  }
}

function isAbandoned(path) {
  try {
    const age = Date.now() - statSync(path).mtimeMs
    if (age > 20 * 60_000) return true
    const holder = Number(readFileSync(path, 'utf8'))
    // empty for the instant between its making and its writing
    if (!holder) return age > 5000
    process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Renamed first, so that of two who find it abandoned only one succeeds. */
function moveAway(path) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
