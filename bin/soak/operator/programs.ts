import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running program, with the output of both its streams. */
export interface Program {
  output(): string
  /** Resolves once it and everything it has started have ended. */
  ended: Promise<number | NodeJS.Signals>
  /** To it and to everything it has started. */
  signal(signal: NodeJS.Signals): void
}

const running = new Map<ChildProcess, Promise<unknown>>()
let isOver = false
// also where this process ends without having waited for them
process.once('exit', () => {
  for (const child of running.keys()) signalTo(child, 'SIGKILL')
})

/** Starts a program as the leader of a process group: npm, its shell and the product are signalled together. */
export function launch(
  [program, ...args]: [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
): Program {
  if (isOver) throw new Error(`${program} is not started any more`)
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited(), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (printed += text))
  const ended = new Promise<number | NodeJS.Signals>(done => {
    child.once('error', error => {
      printed += error.message
      running.delete(child)
      done(-1)
    })
    child.once('close', (code, signal) => {
      running.delete(child)
      done(signal ?? code ?? -1)
    })
  })
  running.set(child, ended)
  return { output: () => printed, ended, signal: signal => signalTo(child, signal) }
}

/** From now on nothing is started. What runs is asked to end, and killed where it does not. */
export async function endPrograms(): Promise<void> {
  isOver = true
  const ends = Promise.all(running.values())
  for (const child of running.keys()) signalTo(child, 'SIGTERM')
  await Promise.race([ends, sleep(STOP_MS, null, { ref: false })])
  for (const child of running.keys()) signalTo(child, 'SIGKILL')
  await ends
}

/** How long the product may take to finish what has begun (docs/operating.md, and some more). */
export const STOP_MS = 70_000

/** Runs a program to its end and answers what it printed. Throws with that where it fails. */
export async function outputOf(
  line: [string, ...string[]],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { ended, output } = launch(line, cwd, env)
  const how = await ended
  if (how !== 0) throw new Error(`${line.join(' ')} ended with ${how}:\n${lastLines(output())}`)
  return output()
}

/** The end of what was printed, where the reason of a failure is. */
export const lastLines = (output: string): string => output.trim().split('\n').slice(-25).join('\n')

/** No variable of the product, and none of the npm that runs this, reaches what is started. */
function inherited(): Record<string, string> {
  const kept =
    /^(PATH|HOME|USER|TMPDIR|LANG|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|\w+_proxy|npm_config_(registry|cache|cafile|userconfig|.*proxy))$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      kept.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
}

function signalTo({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {} // it has ended
}
