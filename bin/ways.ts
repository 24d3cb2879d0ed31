import { here, isTest, readCodebase } from './rules/codebase.ts'
import { type Declaration, referencesIn } from './ways/graph.ts'
import { leftOut, ways } from './ways/ways.ts'

/**
 * `npm run ways`: how much of the project is read to follow one thing from its cause to its last effect. Follows what
 * each function refers to from the starts that `ways.ts` names; prints files and lines of whole files. `--list` names them.
 */
const sources = readCodebase().sources.filter(({ path }) => !isTest(path))
const references = referencesIn({ root: here, sources })
const lines = new Map(sources.map(({ path, text }) => [path, text.split('\n').length - 1]))
const listed = process.argv.includes('--list')

console.log(`Left out: ${leftOut.map(({ what }) => what).join('; ')}.`)
for (const { name, from } of ways) {
  const files = follow(from)
  const total = [...files].reduce((sum, path) => sum + lines.get(path)!, 0)
  console.log(`${name}: ${files.size} files, ${total} lines`)
  if (listed) for (const path of files) console.log(`  ${String(lines.get(path)).padStart(4)} ${path}`)
}

/** The files on the way, in the order in which they are met. Throws where a start does not exist. */
function follow(from: string[]): Set<string> {
  const met = new Set<string>()
  const files = new Set<string>()
  const visit = ({ path, name }: Declaration) => {
    const key = `${path}#${name}`
    if (met.has(key) || leftOut.some(({ paths }) => paths.test(path))) return
    met.add(key)
    files.add(path)
    for (const next of references({ path, name })) visit(next)
  }
  for (const start of from) {
    const [path, name] = start.split('#') as [string, string?]
    if (!lines.has(path)) throw new Error(`no way begins at ${start}: bin/ways/ways.ts`)
    if (name) visit({ path, name })
    files.add(path)
  }
  return files
}
