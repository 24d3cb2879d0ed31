import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, hostname, release, type, uptime } from 'node:os'
import type { SystemData } from '@balcao/contract/systemControl.ts'
import { currentLoad, mem } from 'systeminformation'
import type { Platform } from '../../platform/app.ts'
import type { Config } from '../../platform/config.ts'
import { perProduct } from '../../platform/memory.ts'

/** How long (ms) a measurement is shared: many screens poll it. */
const KEPT_MS = 2_000
const last = perProduct((): { at: number; measured: Promise<SystemData> | null } => ({
  at: 0,
  measured: null,
}))

/** The state of this process's machine, at most two seconds old. */
export function machineNow(platform: Platform): Promise<SystemData> {
  const kept = last(platform)
  if (kept.measured && performance.now() - kept.at <= KEPT_MS) return kept.measured
  kept.at = performance.now()
  kept.measured = measure(platform.config)
  return kept.measured
}

async function measure({ dataDir }: Config): Promise<SystemData> {
  const [load, memory, disk] = await Promise.all([
    currentLoad(),
    mem(),
    statfs(existsSync(dataDir) ? dataDir : '.'),
  ])
  return {
    disk: { total: disk.blocks * disk.bsize, available: disk.bavail * disk.bsize },
    memory: { total: memory.total, free: memory.available },
    cpu: { currentLoad: load.currentLoad, perCoreLoad: load.cpus.map(core => core.load) },
    os: {
      host: hostname(),
      name: `${type()} ${release()}`,
      cores: availableParallelism(),
      uptime: Math.round(uptime()),
    },
  }
}
