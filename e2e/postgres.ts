import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, constants, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './world.ts'

/** A PostgreSQL server of one's own, which may be taken away while the product serves. */
export interface OwnPostgres {
  url: string
  /** Ends it at once, as a crash does. */
  goAway(): void
  comeBack(): void
  remove(): void
}

const isRoot = process.getuid?.() === 0

/** Where the server's programs are, or why there is none to start. Debian keeps them off the PATH. */
export function postgresPrograms(): { folder: string } | { missing: string } {
  const places = [
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const folder = places.find(place => isProgram(join(place, 'initdb')))
  if (!folder) return { missing: 'no initdb here: install PostgreSQL' }
  if (!isRoot) return { folder }
  try {
    execFileSync('runuser', ['-u', 'postgres', 'true'], { stdio: 'ignore' })
    return { folder }
  } catch {
    return { missing: 'PostgreSQL does not run as root, and there is no user postgres' }
  }
}

/** Throws with the server's words when it does not start. */
export async function ownPostgres(folder: string): Promise<OwnPostgres> {
  const place = mkdtempSync(join(tmpdir(), 'balcao-postgres-'))
  chmodSync(place, 0o755)
  if (isRoot) execFileSync('chown', ['postgres', place])
  const data = join(place, 'data')
  const port = await freePort()
  const run = (program: string, ...given: string[]) =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', join(folder, program), ...given], quiet)
      : execFileSync(join(folder, program), given, quiet)
  const how = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${place}`
  const log = join(place, 'log')
  let serves = false
  const comeBack = () => {
    run('pg_ctl', 'start', '--wait', '-D', data, '-l', log, '-o', how)
    serves = true
  }
  const goAway = () => {
    if (serves) run('pg_ctl', 'stop', '--wait', '--mode=immediate', '-D', data)
    serves = false
  }
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  comeBack()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    goAway,
    comeBack,
    remove() {
      goAway()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Its streams would be kept open by the server that it starts. */
const quiet = { stdio: 'ignore', cwd: '/', env: { ...process.env, LC_ALL: 'C' } } as const

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
