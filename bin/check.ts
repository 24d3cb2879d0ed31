import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from './prepare/run.js'
import { channelsLive } from './rules/channels-live.ts'
import { noCircles, roomsOneWay } from './rules/circles.ts'
import { here, type Rule, readHouse } from './rules/codebase.ts'
import { errorsSaid } from './rules/errors-said.ts'
import { featuresListed } from './rules/features-listed.ts'
import { featuresMeet } from './rules/features-meet.ts'
import { migrationsMatch } from './rules/migrations.ts'
import { names } from './rules/names.ts'
import { oneMeaning } from './rules/one-meaning.ts'
import { outboundGuarded } from './rules/outbound.ts'
import { noCasts, noSleeps } from './rules/plain-code.ts'
import { proofsStand } from './rules/proofs.ts'
import { routesServed } from './rules/routes-served.ts'
import { screensLookedAt } from './rules/screens-looked-at.ts'
import { shortFunctions } from './rules/short-functions.ts'
import { large, sizes } from './rules/sizes.ts'
import { testsRun } from './rules/tests-run.ts'
import { wallsStand } from './rules/walls.ts'

const rules: Rule[] = [
  sizes,
  shortFunctions,
  noCasts,
  noSleeps,
  names,
  oneMeaning,
  wallsStand,
  outboundGuarded,
  featuresMeet,
  noCircles,
  roomsOneWay,
  featuresListed,
  routesServed,
  channelsLive,
  errorsSaid,
  screensLookedAt,
  testsRun,
  proofsStand,
  migrationsMatch,
]

let broken = 0

function tell(name: string, breaches: string[]) {
  console.log(`${breaches.length > 0 ? '✗' : '✓'} ${name}`)
  for (const breach of breaches) console.log(`    ${breach.replaceAll('\n', '\n    ')}`)
  broken += breaches.length
}

async function tool(name: string, script: string, args: string[]) {
  const { code, output } = await finished(process.execPath, [join(here, 'node_modules', script), ...args], {
    cwd: here,
    quiet: true,
  })
  tell(name, code === 0 ? [] : [output.trim()])
}

function typedFolders() {
  const { workspaces }: { workspaces: string[] } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  )
  return ['.', ...workspaces].filter(folder => existsSync(join(here, folder, 'tsconfig.json')))
}

await tool('format and lint (biome)', '@biomejs/biome/bin/biome', [
  'check',
  '--colors=off',
  '--max-diagnostics=50',
])
for (const folder of typedFolders())
  await tool(`types of ${folder} (tsc)`, 'typescript/bin/tsc', ['-p', folder, '--pretty', 'false'])
await tool('no unused file, export or dependency (knip)', 'knip/bin/knip.js', [
  '--no-progress',
  '--no-config-hints',
])

const house = readHouse()
for (const rule of rules) tell(rule.name, await rule.find(house))

const beyond = large(house)
if (beyond.length > 0) console.log(`\nLarge, but allowed:\n    ${beyond.join('\n    ')}`)
console.log(broken === 0 ? '\nThe house is in order.' : '\nNot in order: see ✗ above.')
process.exit(broken === 0 ? 0 : 1)
