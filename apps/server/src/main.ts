import { setFlagsFromString } from 'node:v8'
import { VERSION } from './platform/observe/version.ts'
import './platform/startup/loading.ts'

if (process.argv.includes('--version')) {
  console.log(`Balcão ${VERSION}`)
  process.exit(0)
}

// What it writes is for its own user: the database, the files and the secret.
process.umask(0o077)

// What is not needed any more is thrown away before the heap has doubled: under load the process stays at 360 MB instead of
// growing to 500 and more. Lists of messages, which allocate most, cost 7 % more of the processor; others nothing.
setFlagsFromString('--heap-growing-percent=60')

// What follows is imported late: what is imported above is resolved before any of it runs.
const { serveUntilStopped } = await import('./serve.ts')
await serveUntilStopped()
