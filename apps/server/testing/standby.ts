import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor } from '../src/platform/postgres/embedded/programs.ts'
import { giveTo } from '../src/platform/postgres/embedded/run.ts'
import { freePort } from '../src/platform/postgres/embedded/server.ts'
import { ask } from './postgres.ts'

/** The folder of a PostgreSQL that can be copied while it runs; the one of the package registry lacks pg_basebackup. */
export function installedServer(): { bin: string } | { missing: string } {
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .sort()
    .findLast(folder => existsSync(join(folder, 'pg_basebackup')))
  return bin ? { bin } : { missing: 'no PostgreSQL with pg_basebackup under /usr/lib/postgresql' }
}

export interface Pair {
  /** Of its database `balcao`. */
  primary: string
  standby: string
  /** Both, as an operator writes them. */
  both: string
  /** The primary dies, as with its machine. */
  kill(): Promise<void>
  promote(): void
  end(): Promise<void>
}

/** A primary and a hot standby that streams from it; with `isSynchronous` a commit waits until the standby has it. */
export async function startPair(bin: string, { isSynchronous }: { isSynchronous: boolean }): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-pair-'))
  const account = accountFor(folder)
  giveTo(account, folder)
  const as = account ? { uid: account.uid, gid: account.gid } : {}
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const ports = { [first]: await freePort(), [second]: await freePort() }
  function once(program: string, args: string[]) {
    const { status, stderr } = spawnSync(join(bin, program), args, { ...as, cwd: '/', encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  }
  const running: ChildProcess[] = []
  async function serve(data: string, settings: Record<string, string> = {}) {
    const all = {
      listen_addresses: '127.0.0.1',
      port: ports[data]!,
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: '100',
      ...settings,
    }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...as, cwd: '/', stdio: 'ignore' })
    running.push(child)
    const url = `postgres://balcao@127.0.0.1:${ports[data]}/postgres`
    for (let tries = 0; !(await answers(url)); tries++) {
      if (tries > 200) throw new Error('PostgreSQL does not start')
      await sleep(50)
    }
    return child
  }
  const urlOf = (data: string) => `postgres://balcao@127.0.0.1:${ports[data]}/balcao`
  once('initdb', ['-D', first, '-A', 'trust', '-U', 'balcao', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const primary = await serve(first)
  await ask(`postgres://balcao@127.0.0.1:${ports[first]}/postgres`, 'create database balcao')
  once('pg_basebackup', [
    ...['-d', `host=127.0.0.1 port=${ports[first]} user=balcao application_name=standby`],
    ...['-D', second, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  ])
  await serve(second)
  if (isSynchronous) {
    await ask(urlOf(first), `alter system set synchronous_standby_names = '*'`)
    await ask(urlOf(first), 'select pg_reload_conf()')
  }
  const killAll = () => {
    for (const child of running) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  return {
    primary: urlOf(first),
    standby: urlOf(second),
    both: `postgres://balcao@127.0.0.1:${ports[first]},127.0.0.1:${ports[second]}/balcao?target_session_attrs=read-write`,
    async kill() {
      const ended = new Promise(done => primary.once('close', done))
      primary.kill('SIGQUIT')
      await ended
    },
    promote: () => once('pg_ctl', ['promote', '-D', second, '-w']),
    async end() {
      process.off('exit', killAll)
      const ended = running.map(
        child => child.exitCode ?? child.signalCode ?? new Promise(done => child.once('close', done)),
      )
      for (const child of running) child.kill('SIGQUIT')
      await Promise.all(ended)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (url: string) =>
  ask(url, 'select 1').then(
    () => true,
    () => false,
  )
