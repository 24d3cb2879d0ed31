// Runs a command of package.json on a machine where perhaps nothing is installed yet.
// This file and bin/prepare/ run on whatever Node npm found (18 or newer), before any dependency is there:
// plain JavaScript, nothing imported. All that follows runs on the Node that package.json pins.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installWhatIsMissing, isInstalled } from './prepare/install.js'
import { holding } from './prepare/lock.js'
import { environment, pinnedNode } from './prepare/node.js'
import { run } from './prepare/run.js'
import { sayError } from './prepare/say.js'
import { StopHere } from './prepare/stop-here.js'
import { buildStaleWeb, isBuilt } from './prepare/web.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The young part of the heap stays at 64 MB instead of growing to 128, for a twentieth of the rate of lists (decision
 * 021). It can only be given to Node as it starts; the Dockerfile gives it too.
 */
const SMALL_YOUNG = '--max-semi-space-size=32'

const commands = {
  start: { web: true, target: 'apps/server/src/main.ts', flags: [SMALL_YOUNG] },
  master: { target: 'apps/server/src/master.ts' },
  demo: { target: 'apps/server/src/demo.ts' },
  backup: { target: 'apps/server/src/backup.ts', args: ['backup'] },
  restore: { target: 'apps/server/src/backup.ts', args: ['restore'] },
  reseal: { target: 'apps/server/src/reseal.ts' },
  doctor: { target: 'apps/server/src/doctor.ts' },
  files: { target: 'apps/server/src/files.ts' },
  data: { target: 'apps/server/src/data.ts' },
  dev: { target: 'bin/dev.ts' },
  test: { web: true, target: 'bin/test.ts' },
  check: { target: 'bin/check.ts' },
  bench: { web: true, target: 'bench/main.ts' },
  soak: { target: 'bin/soak.ts' },
  mutate: { target: 'bin/mutate.ts' },
  ways: { target: 'bin/ways.ts' },
  feature: { target: 'bin/feature.ts' },
  migration: { target: 'bin/migration.ts' },
  release: { web: true, target: 'bin/release.ts' },
  'upgrade:baileys': { target: 'bin/upgrade.ts' },
}

/** The Node that runs the command. Where nothing is missing nothing is written: another user may own this folder. */
async function ready(command) {
  if (isInstalled(root) && (!command.web || isBuilt(root))) return pinnedNode(root)
  return holding(join(root, '.balcao', 'prepare.lock'), async () => {
    await installWhatIsMissing(root)
    const pinned = pinnedNode(root)
    if (command.web) await buildStaleWeb(root, pinned)
    return pinned
  })
}

async function prepare([name, ...rest]) {
  const command = commands[name]
  if (!command) throw new StopHere(`Say one of: ${Object.keys(commands).join(', ')}`)
  const node = await ready(command)
  if (!existsSync(join(root, command.target))) throw new StopHere(`${command.target} is not there yet`)
  const env = environment(node)
  // what Node made of the sources is kept for the next start
  if (name === 'start' || name === 'dev' || name === 'test')
    env.NODE_COMPILE_CACHE ??= join(root, '.balcao', 'compiled')
  await run(node, [...(command.flags ?? []), join(root, command.target), ...(command.args ?? []), ...rest], {
    cwd: root,
    env,
  })
}

prepare(process.argv.slice(2)).catch(error => {
  sayError(error instanceof StopHere ? error.message : error)
  process.exit(1)
})
