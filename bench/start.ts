import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenMegabytes, childrenSeconds } from '../bin/processor.ts'
import { pause, startProduct } from './product.ts'

/** The default start: the embedded database and demo data. Seconds, percent of a core, megabytes; null without /proc. */
export interface Starts {
  first: number
  second: number
  /** Of the processor, at rest: all processes together. */
  idle: number | null
  resident: number | null
}

const REST_SECONDS = 60
/** What a start leaves to be done behind it. */
const SETTLING_MS = 15_000

/** Time to the first healthy answer at the first start and at the second; then memory at rest, without clients. */
export async function timeStarts(): Promise<Starts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-start-'))
  try {
    // as `npm start` does it
    const env = { DATA_DIR: dataDir, DEMO: '1', NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
    const first = await startProduct(env)
    await first.stop()
    const second = await startProduct(env)
    const rest = await atRest()
    await second.stop()
    return { first: first.startSeconds, second: second.startSeconds, ...rest }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function atRest() {
  await pause(SETTLING_MS)
  const before = childrenSeconds()
  await pause(REST_SECONDS * 1_000)
  const after = childrenSeconds()
  const idle = before === null || after === null ? null : ((after - before) / REST_SECONDS) * 100
  return { idle, resident: childrenMegabytes() }
}
