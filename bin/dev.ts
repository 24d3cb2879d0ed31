import { type ChildProcess, spawn } from 'node:child_process'

// The server starts again when one of its files is saved; the page changes in place. Vite serves the page and passes
// calls on to the server (apps/web/vite.config.ts), so that the browser sees one origin as in production.

const server = start(['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], '.')
const page = start(['../../node_modules/vite/bin/vite.js', '--port', '5173', '--strictPort'], 'apps/web')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
server.on('exit', () => stop('SIGTERM'))
page.on('exit', () => stop('SIGTERM'))

let stopping = false

/** When one of the two ends, so does the other. */
function stop(signal: NodeJS.Signals) {
  if (stopping) return
  stopping = true
  for (const child of [server, page]) if (isRunning(child)) child.kill(signal)
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

function start(args: string[], cwd: string) {
  return spawn(process.execPath, args, { cwd, stdio: 'inherit' })
}
