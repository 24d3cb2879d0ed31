import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from './product.ts'

/** Seconds to the first healthy answer with the embedded database and demo data: at the first start and at the second. */
export async function timeStarts(): Promise<{ first: number; second: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-start-'))
  try {
    const seconds = []
    for (let n = 0; n < 2; n++) {
      // as `npm start` does it
      const compiled = join(dataDir, 'compiled')
      const product = await startProduct({ DATA_DIR: dataDir, DEMO: '1', NODE_COMPILE_CACHE: compiled })
      seconds.push(product.startSeconds)
      await product.stop()
    }
    return { first: seconds[0]!, second: seconds[1]! }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
