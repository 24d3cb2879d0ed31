import { writeFileSync } from 'node:fs'
import { finished } from '../prepare/run.js'
import { childrenSeconds } from '../processor.ts'

// Runs a script and writes into a file the CPU seconds of it and its children: for two that run side by side, their
// common parent cannot measure them separately.

const [into, ...words] = process.argv.slice(2)
const { code } = await finished(process.execPath, words)
writeFileSync(into!, JSON.stringify(childrenSeconds()))
process.exit(code)
