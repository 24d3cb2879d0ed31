import { createServer } from 'node:http'
import { type Config, ConfigError } from '../config.ts'

/** `/live`: the event loop turns. */
export const LIVE = { status: 'ok' }
/** Everything else on the port of a process that starts, `/ready` first of all. */
export const STARTING = { status: 'unavailable', why: 'the process is starting' }

type At = Pick<Config, 'port' | 'host'>

/**
 * Answers on HOST and PORT until the product itself listens there: a start waits for servers and brings the database up to
 * date, and whoever supervises processes ends one that answers nothing. Resolves with what gives the port free; throws ConfigError
 * when this process cannot listen there.
 */
export async function answerWhileStarting({ port, host }: At): Promise<() => Promise<void>> {
  const server = createServer(({ url }, response) => {
    const isLive = url?.split('?', 1)[0] === '/live'
    response.writeHead(isLive ? 200 : 503, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(isLive ? LIVE : STARTING))
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done)).catch(
    error => {
      throw explained(error, port, host)
    },
  )
  return () =>
    new Promise(done => {
      server.close(() => done())
      server.closeAllConnections()
    })
}

/** Throws ConfigError when this process could not listen on HOST and PORT. */
export const portIsFree = async (at: At): Promise<void> => (await answerWhileStarting(at))()

function explained(error: NodeJS.ErrnoException, port: number, host: string) {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`PORT ${port} is in use on ${host}: stop what listens there, or choose another`)
  if (error.code === 'EACCES') return new ConfigError(`PORT ${port} needs rights that this process lacks`)
  return new ConfigError(`HOST ${host} is no address of this machine (${error.code ?? error.message})`)
}
