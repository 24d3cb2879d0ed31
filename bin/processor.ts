import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second on Linux, whatever the machine (man 5 proc). */
const TICKS = 100

/**
 * Seconds of the processor that this process's children took, those that ended and all below those that live. Null where
 * there is no /proc to read it from.
 */
export function childrenSeconds(): number | null {
  if (process.platform !== 'linux') return null
  const own = living().filter(({ pid }) => pid === process.pid)
  const ticks = [...own.map(({ ended }) => ended), ...below(process.pid).map(one => one.own + one.ended)]
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS
}

/**
 * Megabytes that all processes below this one have in memory; what several share is divided between them (the
 * proportional set size). Null where there is no /proc.
 */
export function childrenMegabytes(): number | null {
  if (process.platform !== 'linux') return null
  const kilobytes = below(process.pid).map(({ pid }) => {
    const [, pss = 0] = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? []
    return Number(pss)
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024
}

interface Living {
  pid: number
  parent: number
  /** Ticks of its own, and of its children that ended. */
  own: number
  ended: number
}

function below(root: number): Living[] {
  const all = living()
  const pids = new Set([root])
  // a child may be listed before its parent, since numbers are given anew
  for (let size = 0; size !== pids.size; ) {
    size = pids.size
    for (const { pid, parent } of all) if (pids.has(parent)) pids.add(pid)
  }
  return all.filter(({ pid }) => pid !== root && pids.has(pid))
}

/** Fields 4 (parent), 14 and 15 (own times) and 16 and 17 (those of children that ended) of /proc/PID/stat. */
function living(): Living[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => {
    const stat = read(`/proc/${pid}/stat`)
    if (!stat) return []
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
    const times = { own: user! + system!, ended: endedUser! + endedSystem! }
    return [{ pid: Number(pid), parent: Number(fields[1]), ...times }]
  })
}

/** Empty where the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
