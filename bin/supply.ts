import { readFileSync } from 'node:fs'
import { advisoriesIn, type Exception, licencesIn } from './supply/findings.ts'

// node bin/supply.ts AUDIT: what `npm audit --omit=dev --json` wrote, and package-lock.json, against bin/supply/exceptions.json.

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const [, , audit] = process.argv
const today = new Date().toISOString().slice(0, 10)
const exceptions = read('bin/supply/exceptions.json') as Exception[]
const found = [
  ...advisoriesIn(read(audit!), exceptions, today),
  ...licencesIn(read('package-lock.json'), exceptions, today),
]
for (const line of found) console.error(line)
console.log(found.length === 0 ? 'Nothing severe, and every licence fits.' : `${found.length} to look at.`)
process.exit(found.length === 0 ? 0 : 1)
