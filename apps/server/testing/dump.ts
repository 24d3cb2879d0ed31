import { execFileSync } from 'node:child_process'

/** `15` of `pg_dump (PostgreSQL) 15.4`; null where the program is not on the PATH. */
export function majorOf(program: string): number | null {
  try {
    const [, major] = /\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
    return major ? Number(major) : null
  } catch {
    return null
  }
}

/** Why a server of this major version cannot be dumped and restored by the programs of the PATH; null where it can. */
export function whyNoDump(server: number): string | null {
  const dump = majorOf('pg_dump')
  if (dump === null || majorOf('pg_restore') === null || majorOf('psql') === null)
    return 'pg_dump, pg_restore or psql is not on the PATH'
  return dump < server ? `pg_dump ${dump} refuses a server of version ${server}` : null
}
