import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.js'
import { environment } from './node.js'
import { isRelease } from './release.js'
import { finished } from './run.js'
import { say } from './say.js'
import { StopHere } from './stop-here.js'

const sources = ['apps/web', 'packages/contract/src', 'package-lock.json', 'tsconfig.base.json']

/** What the build writes into apps/web/dist as `.made-from`: the fingerprint of its sources, and the version. */
export function madeFrom(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `${fingerprint(root, sources)} ${version}\n`
}

/** Whether apps/web/dist was made from the files that are there; a release is built where it is made. */
export function isBuilt(root) {
  const web = join(root, 'apps', 'web')
  return (
    isRelease(root) || !existsSync(join(web, 'index.html')) || stampOf(join(web, 'dist')) === madeFrom(root)
  )
}

/**
 * Builds the web app unless apps/web/dist was made from these very files. The new one is built aside and swapped in,
 * so a failed build or a server that is running keeps the old. Throws StopHere.
 */
export async function buildStaleWeb(root, node) {
  if (isBuilt(root)) return
  const web = join(root, 'apps', 'web')
  const dist = join(web, 'dist')
  say('Building the web app …')
  const fresh = join(root, '.balcao', 'web-fresh')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await finished(node, [vite, 'build', '--outDir', fresh, '--emptyOutDir'], {
    cwd: web,
    quiet: true,
    env: { ...environment(node), NODE_ENV: 'production' },
  })
  if (code !== 0) throw new StopHere(`${output.trim()}\n\nThe web app does not build.`)
  swap(dist, fresh, join(root, '.balcao', 'web-old'))
}

function stampOf(dist) {
  const path = join(dist, '.made-from')
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function swap(dist, fresh, old) {
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}
