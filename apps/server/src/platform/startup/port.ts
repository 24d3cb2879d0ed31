import { createServer } from 'node:net'
import { type Config, ConfigError } from '../config.ts'

/** Before anything is made: throws ConfigError when this process could not listen on HOST and PORT. */
export async function portIsFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((done, fail) => probe.once('error', fail).listen(port, host, done))
    await new Promise(done => probe.close(done))
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, port, host)
  }
}

function explained(error: NodeJS.ErrnoException, port: number, host: string) {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`PORT ${port} is in use on ${host}: stop what listens there, or choose another`)
  if (error.code === 'EACCES') return new ConfigError(`PORT ${port} needs rights that this process lacks`)
  return new ConfigError(`HOST ${host} is no address of this machine (${error.code ?? error.message})`)
}
