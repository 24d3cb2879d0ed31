import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The product, or the bare server, as a process of its own. */
export interface Product {
  url: string
  /** From the first instruction to the first healthy answer. */
  startSeconds: number
  /** A figure of its /metrics page. */
  metric(name: string): Promise<number>
  stop(): Promise<void>
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** As `npm start` and the Dockerfile start it. */
const flags = ['--max-semi-space-size=32']

/** Starts the server on a port of its choice. Throws with its output when it is not up within a minute. */
export const startProduct = (env: Record<string, string>): Promise<Product> =>
  startServer([...flags, ...profiling(), script('../apps/server/src/main.ts')], env)

/** The bare server beside it. */
export const startBare = (env: Record<string, string>): Promise<Product> =>
  startServer([script('bare.server.ts')], env)

async function startServer(script: string[], env: Record<string, string>): Promise<Product> {
  const start = performance.now()
  const child = spawn(process.execPath, script, {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DEMO: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const url = await said(child)
  while (
    !(await fetch(`${url}/health`).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await pause(20)
  return {
    url,
    startSeconds: (performance.now() - start) / 1000,
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** `--profile FOLDER` writes a CPU profile of the server there. */
function profiling() {
  const at = process.argv.indexOf('--profile')
  return at < 0 ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.argv[at + 1]}`]
}

function said(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let output = ''
    const late = setTimeout(() => fail(new Error(`the server did not start: ${output}`)), 60_000)
    child.stdout!.on('data', piece => {
      output += piece
      const [, port] = /http:\/\/localhost:(\d+)/.exec(output) ?? []
      if (!port) return
      clearTimeout(late)
      done(`http://127.0.0.1:${port}`)
    })
    child.once('exit', code => fail(new Error(`the server ended with ${code}: ${output}`)))
  })
}

export const pause = (ms: number) => new Promise<void>(done => setTimeout(done, ms))
