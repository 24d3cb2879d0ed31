import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../src/platform/config.ts'
import type { Command } from '../src/platform/startup/command.ts'
import { CONNECTIONS } from './database.ts'
import { clockArgs, clockEnv, pooled, slowed } from './hardship.ts'
import { until } from './test-app.ts'

const main = ['../src/main.ts']
const failpoints = new URL('./failpoints.ts', import.meta.url).href

/** The product as an operator runs it: a process of its own that can be killed, frozen and started again. */
export interface Process {
  pid: number
  /** Where it serves; without the web role its health alone. */
  url: string
  /** What it printed so far, both streams. */
  output(): string
  /** Dies by `kill -9` when it next comes to this point, `file#export:before` or `:after` (see failpoints.ts), or after passing it so many times. */
  dieAt(point: string, passes?: number): Promise<void>
  /** Suspends there instead, as a paused machine does. */
  freezeAt(point: string): Promise<void>
  /** How it ended: an exit code, or the signal that killed it. */
  ended: Promise<number | NodeJS.Signals>
  kill(): Promise<void>
  stop(): Promise<void>
  freeze(): void
  wake(): void
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts it and waits until it serves. Throws with what it printed when it ends instead. `onOutput` is called with everything
 * that it has printed, while it starts.
 */
export async function startProcess(
  env: Record<string, string>,
  ms = 60_000,
  program: string[] = main,
  onOutput: (printed: string) => void = () => {},
): Promise<Process> {
  const { child, output, ended, freeze, wake } = launch(env, program)
  child.stderr!.on('data', () => onOutput(output()))
  child.stdout!.on('data', () => onOutput(output()))
  const failed = ended.then(how => {
    throw new Error(`the process ended (${how}) before it served:\n${output()}`)
  })
  failed.catch(() => {})
  const served = until(() => /Balcão (?:serves|is at work;) (http:\/\/[^\s/"]+)/.exec(output()), ms)
  const [, url = ''] = await Promise.race([served, failed])
  const order = (what: { point: string; nth: number; signal: NodeJS.Signals }) =>
    new Promise<void>((done, fail) => child.send(what, error => (error ? fail(error) : done())))
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    pid: child.pid!,
    url: url.replace('localhost', '127.0.0.1'),
    output,
    ended,
    dieAt: (point, nth = 0) => order({ point, nth, signal: 'SIGKILL' }),
    freezeAt: point => order({ point, nth: 0, signal: 'SIGSTOP' }),
    kill: () => kill('SIGKILL'),
    stop: () => kill('SIGTERM'),
    freeze,
    wake,
  }
}

/** Starts it and waits for its end: for starts that must fail, and for other programs of the product. */
export async function runToEnd(env: Record<string, string>, program: string[] = main) {
  const { output, ended } = launch(env, program)
  return { how: await ended, output: output() }
}

/** The same of a command of the operator in this process, which costs less; a question is answered by an empty line. */
export async function runOperatorCommand(command: Command, env: Record<string, string>, args: string[]) {
  let output = ''
  const print = (line: string) => {
    output += `${line}\n`
  }
  const how = await command(args, { env: pooled(env), print, ask: async () => '' }).then(
    () => 0,
    error => {
      if (!(error instanceof ConfigError)) throw error
      print(error.message)
      return error.exitCode
    },
  )
  return { how, output }
}

const { PATH, NODE_COMPILE_CACHE } = process.env
const inherited = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }

/** Starts a program of the product and waits for nothing: for one that is killed on the way. */
export function startProgram(
  env: Record<string, string>,
  program: string[],
): Pick<Process, 'ended' | 'kill'> {
  const { child, ended } = launch(env, program)
  return {
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts it and does not wait for anything. */
function launch(env: Record<string, string>, [file, ...given]: string[] = main) {
  const program = fileURLToPath(new URL(file!, import.meta.url))
  const child = spawn(process.execPath, [...clockArgs, '--import', failpoints, program, ...given], {
    env: {
      ...inherited,
      ...clockEnv,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      REQUESTS_PER_MINUTE: '0',
      DATABASE_CONNECTIONS: String(CONNECTIONS),
      ...pooled(env),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  const { freeze, wake } = slowed(child)
  let printed = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', text => (printed += text))
  const ended = new Promise<number | NodeJS.Signals>(done => {
    child.once('close', (code, signal) => {
      running.delete(child)
      done(signal ?? code ?? -1)
    })
  })
  return { child, output: () => printed, ended, freeze, wake }
}

/** A folder that goes when the tests end. */
export function freshFolder() {
  const path = mkdtempSync(join(tmpdir(), 'balcao-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
