import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const skipped = new Set(['node_modules', 'dist', '.DS_Store'])
const isTest = name => /\.test\.tsx?$/.test(name)

/** Every file under the paths, sorted, without what is built, installed or a test. Missing paths count as empty. */
function filesUnder(...paths) {
  return paths.flatMap(path => {
    if (!existsSync(path)) return []
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter(name => !skipped.has(name) && !isTest(name))
    return filesUnder(...names.sort().map(name => join(path, name)))
  })
}

/** A hash over names and contents: two checkouts with the same files agree, whatever their clocks say. */
export function fingerprint(root, paths, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const file of filesUnder(...paths.map(path => join(root, path)))) {
    const content = readFileSync(file)
    hash.update(`\n${relative(root, file).split(sep).join('/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
