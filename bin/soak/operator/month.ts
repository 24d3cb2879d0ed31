import type { CloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { until } from '../../../apps/server/testing/person.ts'
import { ask } from '../../../apps/server/testing/postgres.ts'
import type { Company } from './companies.ts'
import { postgresOf } from './embedded.ts'
import type { Leftovers } from './leftovers.ts'
import { lastLines, launch, outputOf, type Program, STOP_MS } from './programs.ts'
import type { ReverseProxy } from './proxy.ts'
import type { DatabaseServer } from './server.ts'
import type { Traffic } from './traffic.ts'

/** One installation and the servers around it, passed from step to step. */
export interface Month {
  /** For everything that is made; it is removed at the end. */
  folder: string
  /** The checkout whose commands are run: today's, or that of the version before. */
  code: string
  today: string
  /** Of every process and command of the installation. */
  env: Record<string, string>
  /** By their names: `all`, or `web-1`, `worker` … */
  processes: Map<string, Process>
  /** Of each process, so that the proxy finds it again. */
  ports: Map<string, string>
  proxy: ReverseProxy
  meta: CloudApiServer
  companies: Company[]
  traffic: Traffic | null
  server: DatabaseServer | null
  /** The name of its database on that server. */
  database: string
  /** The answers that were acknowledged before the backup began. */
  backedUp: string[]
  leftovers: Leftovers
  /** What processes that have ended printed. */
  printed: string[]
}

export interface Process {
  url: string
  /** Until it served. */
  seconds: number
  output(): string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Longer than the first start of a version that installs and builds itself. */
const START_MS = 900_000

/** `npm start` in this checkout. Throws with what it printed when it ends instead of serving. */
export async function npmStart(code: string, env: Record<string, string>): Promise<Process> {
  const began = performance.now()
  const program = launch(['npm', 'start'], code, env)
  const failed = program.ended.then(how => {
    throw new Error(`npm start ended with ${how} before it served:\n${lastLines(program.output())}`)
  })
  failed.catch(() => {})
  const served = until(
    () => /Balcão (?:serves|is at work;) http:\/\/localhost:(\d+)/.exec(program.output()),
    START_MS,
  )
  const [, port] = await Promise.race([served, failed])
  return {
    url: `http://127.0.0.1:${port}`,
    seconds: (performance.now() - began) / 1_000,
    output: program.output,
    stop: () => stop(program),
    kill: async () => {
      program.signal('SIGKILL')
      await program.ended
    },
  }
}

async function stop(program: Program) {
  program.signal('SIGTERM')
  const isLate = Symbol()
  const late = new Promise(done => setTimeout(done, STOP_MS, isLate).unref())
  if ((await Promise.race([program.ended, late])) !== isLate) return
  program.signal('SIGKILL')
  await program.ended
  throw new Error(`a process did not stop within ${STOP_MS / 1_000} s:\n${lastLines(program.output())}`)
}

/** `npm run COMMAND -- ARGUMENTS` with the variables of the installation, and these. Answers what it printed. */
export const npmRun = (
  { code, env }: Pick<Month, 'code' | 'env'>,
  command: string,
  args: string[] = [],
  more: Record<string, string> = {},
): Promise<string> =>
  outputOf(['npm', 'run', '--silent', command, ...(args.length > 0 ? ['--', ...args] : [])], code, {
    ...env,
    ...more,
  })

const rolesOf = (name: string): Record<string, string> =>
  name === 'all' ? {} : { ROLES: name.replace(/-\d+$/, '') }

/** Starts the process of this name with the variables of the installation; answers the seconds until it served. */
export async function startOne(month: Month, name: string): Promise<number> {
  const PORT = month.ports.get(name)!
  const started = await npmStart(month.code, { ...month.env, ...rolesOf(name), PORT })
  month.processes.set(name, started)
  return started.seconds
}

/** The same of several at once; answers the seconds until the last one served. */
export async function startAll(month: Month): Promise<number> {
  const seconds = await Promise.all([...month.ports.keys()].map(name => startOne(month, name)))
  return Math.max(...seconds)
}

export async function stopAll(month: Month): Promise<void> {
  await Promise.all([...month.processes.keys()].map(name => endOne(month, name, 'stop')))
}

/** Asks the process to end, or kills it. */
export async function endOne(month: Month, name: string, how: 'stop' | 'kill'): Promise<void> {
  const ending = month.processes.get(name)!
  month.processes.delete(name)
  await ending[how]()
  month.printed.push(ending.output())
  const isCutOff = how === 'stop' && !ending.output().includes('Balcão has stopped')
  if (isCutOff && month.code === month.today)
    throw new Error(`${name} did not stop in good order:\n${lastLines(ending.output())}`)
}

/** Reads the rows of all companies, wherever the database is now. */
export async function rowsOf(month: Month, query: string): Promise<Record<string, unknown>[]> {
  if (month.server && month.database) return month.server.rows(month.database, query)
  const embedded = postgresOf(month.env.DATA_DIR!)
  return embedded ? ask(embedded.url, query) : []
}

/** Of each process that answers people. */
export function leadProxy({ proxy, ports }: Month): void {
  proxy.targets = [...ports]
    .filter(([name]) => name === 'all' || name.startsWith('web'))
    .map(([, port]) => `http://127.0.0.1:${port}`)
}

export const seconds = (many: number): string => `${many.toFixed(1)} s`
