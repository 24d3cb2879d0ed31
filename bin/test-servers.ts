import { connect } from 'node:net'
import { postgresPrograms } from '../e2e/postgres.ts'

const servers = [
  { variable: 'TEST_DATABASE_URL', name: 'PostgreSQL', port: 5432 },
  { variable: 'TEST_REDIS_URL', name: 'Redis', port: 6379 },
]

/** Which suites must be left out, each with its reason. Removes the variables of servers that do not answer. */
export async function missingServers(env: NodeJS.ProcessEnv): Promise<string[]> {
  const missing: string[] = []
  for (const { variable, name, port } of servers) {
    const address = env[variable]
    if (address && (await answers(address, port))) continue
    delete env[variable]
    const why = address
      ? `${variable} (${withoutPassword(address)}) does not answer`
      : `${variable} is not set`
    missing.push(`suites that need a ${name} server: ${why}`)
  }
  const programs = postgresPrograms()
  if ('missing' in programs) missing.push(`a database that ends while people work: ${programs.missing}`)
  return missing
}

function answers(address: string, defaultPort: number): Promise<boolean> {
  if (!URL.canParse(address)) return Promise.resolve(false)
  const { hostname, port } = new URL(address)
  return new Promise(resolve => {
    const socket = connect({ host: hostname, port: Number(port) || defaultPort, timeout: 3000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

const withoutPassword = (address: string) => address.replace(/:[^:@/]*@/, ':…@')
