import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { VERSION } from '../observe/version.ts'

/** The built web app, and why it is not served; null while it is. */
export interface WebBuild {
  root: string
  lacks: 'missing' | 'stale' | null
}

const checkout = fileURLToPath(new URL('../../../../../', import.meta.url))

/** What is there, whatever it was built from. */
export function webBuild(root = join(checkout, 'apps/web/dist')): WebBuild {
  return { root, lacks: existsSync(join(root, 'index.html')) ? null : 'missing' }
}

/**
 * The same, and whether it was built from what is there: pages of another version send what this server does not take.
 * In a checkout the sources are compared, elsewhere (an image, a release) the version.
 */
export async function checkedWebBuild(log: Pick<Logger, 'error'>, folder = checkout): Promise<WebBuild> {
  const found = webBuild(join(folder, 'apps/web/dist'))
  const build =
    !found.lacks && (await isStale(folder, found.root)) ? { ...found, lacks: 'stale' as const } : found
  if (build.lacks)
    log.error(
      { web: build.lacks },
      'the web app is not served: npm start builds it (docs/operating.md, Starting)',
    )
  return build
}

async function isStale(folder: string, root: string) {
  const stamp = textOf(join(root, '.made-from'))
  const compare = join(folder, 'bin/prepare/web.js')
  const hasSources = existsSync(compare) && !existsSync(join(folder, 'release.json'))
  if (!hasSources) return stamp.split(/\s+/)[1] !== VERSION
  // what decides for `npm start` whether to build; it is in a checkout alone
  const { isBuilt } = (await import(compare)) as { isBuilt(folder: string): boolean }
  return !isBuilt(folder)
}

function textOf(path: string) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
