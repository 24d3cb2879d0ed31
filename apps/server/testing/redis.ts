import { spawn } from 'node:child_process'
import { createClient } from 'redis'

/** Where tests find a Redis server, or why there is none. */
export async function redisServer(): Promise<{ url: string } | { missing: string }> {
  const url = process.env.TEST_REDIS_URL
  if (!url) return { missing: 'TEST_REDIS_URL is not set' }
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  const error = await client.connect().then(
    () => client.ping(),
    (failure: Error) => failure,
  )
  if (error instanceof Error) return { missing: `TEST_REDIS_URL does not answer: ${error.message}` }
  client.destroy()
  return { url }
}

/** A Redis server that keeps nothing, where `redis-server` is on the PATH; null where it is not. */
export async function startRedis(port: string): Promise<{ url: string; end(): Promise<void> } | null> {
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: 'ignore', cwd: '/' })
  const ended = new Promise<void>(done => server.once('close', () => done()))
  const started = await new Promise<boolean>(done => {
    server.once('error', () => done(false))
    server.once('spawn', () => done(true))
  })
  if (!started) return null
  // also where the run is aborted
  const abandon = () => void server.kill()
  process.once('exit', abandon)
  async function end() {
    process.off('exit', abandon)
    server.kill()
    await ended
  }
  return { url: `redis://127.0.0.1:${port}`, end }
}
