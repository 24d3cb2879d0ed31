import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { uncommitted } from './changed.ts'
import { finished } from './prepare/run.js'
import { oneArchiveReader } from './rules/archives.ts'
import { boundedInputs } from './rules/bounded-inputs.ts'
import { channelsLive } from './rules/channels-live.ts'
import { noCircles, roomsOneWay, webFeaturesOneWay } from './rules/circles.ts'
import { oneClock } from './rules/clocks.ts'
import { here, type Rule, readCodebase, workspaces } from './rules/codebase.ts'
import { keysNameTheCompany } from './rules/distribution.ts'
import { errorTexts } from './rules/error-texts.ts'
import { failpointsExist } from './rules/failpoints-exist.ts'
import { featuresListed } from './rules/features-listed.ts'
import { featuresMeet } from './rules/features-meet.ts'
import { linearExpressions } from './rules/linear-expressions.ts'
import { migrationsMatch, noRowsMoved, oneSnapshot } from './rules/migrations.ts'
import { noModuleState } from './rules/module-state.ts'
import { names } from './rules/names.ts'
import { oneMeaning } from './rules/one-meaning.ts'
import { outboundGuarded } from './rules/outbound.ts'
import { noCasts, noSleeps } from './rules/plain-code.ts'
import { proofsExist } from './rules/proofs.ts'
import { noRefsWhileRendering } from './rules/refs-while-rendering.ts'
import { noRetiredWords } from './rules/retired-words.ts'
import { fileRoles, sqlInQueries } from './rules/roles.ts'
import { routesServed } from './rules/routes-served.ts'
import { screensLookedAt } from './rules/screens-looked-at.ts'
import { shortFunctions } from './rules/short-functions.ts'
import { shortWays } from './rules/short-ways.ts'
import { large, sizes } from './rules/sizes.ts'
import { testsRun } from './rules/tests-run.ts'
import { moduleBoundaries } from './rules/walls.ts'
import { oneWayOut } from './rules/ways-out.ts'
import { wholeTexts } from './rules/whole-texts.ts'

const rules: Rule[] = [
  sizes,
  shortFunctions,
  shortWays,
  noCasts,
  noSleeps,
  noModuleState,
  oneClock,
  wholeTexts,
  linearExpressions,
  names,
  fileRoles,
  sqlInQueries,
  oneMeaning,
  noRetiredWords,
  moduleBoundaries,
  outboundGuarded,
  oneArchiveReader,
  noRefsWhileRendering,
  oneWayOut,
  featuresMeet,
  noCircles,
  roomsOneWay,
  webFeaturesOneWay,
  featuresListed,
  routesServed,
  boundedInputs,
  channelsLive,
  errorTexts,
  screensLookedAt,
  testsRun,
  failpointsExist,
  proofsExist,
  migrationsMatch,
  oneSnapshot,
  noRowsMoved,
  keysNameTheCompany,
]

let broken = 0

function report(name: string, breaches: string[]) {
  console.log(`${breaches.length > 0 ? '✗' : '✓'} ${name}`)
  for (const breach of breaches) console.log(`    ${breach.replaceAll('\n', '\n    ')}`)
  broken += breaches.length
}

interface Tool {
  name: string
  script: string
  args: string[]
}

/** Runs tools one after the other; reports what each found. */
async function run(tools: Tool[]) {
  for (const { name, script, args } of tools) {
    const words = [join(here, 'node_modules', script), ...args]
    const { code, output } = await finished(process.execPath, words, { cwd: here, quiet: true })
    report(name, code === 0 ? [] : [output.trim()])
  }
}

/**
 * One process for all folders; what did not change since the last run is not looked at again. One checker: several infer the
 * types that they share once each, in twice the processor's time, and no sooner where there are two processors.
 */
const types = (folders: string[]): Tool => ({
  name: 'types (tsc)',
  script: 'typescript/bin/tsc',
  args: ['-b', ...folders, '--pretty', 'false', '--checkers', '1'],
})

/** Only what the uncommitted change touches: its format, the types of its folders, and every rule, since those are quick. */
const changed = process.argv.includes('--changed') ? uncommitted(here) : null

function typedFolders() {
  const typed = ['.', ...workspaces].filter(folder => existsSync(join(here, folder, 'tsconfig.json')))
  return changed?.every(path => !path.startsWith('packages/'))
    ? typed.filter(folder => changed.some(path => isIn(folder, path)))
    : typed
}

/** The root's own folders are those of no workspace. */
const isIn = (folder: string, path: string) =>
  folder === '.' ? !workspaces.some(other => path.startsWith(`${other}/`)) : path.startsWith(`${folder}/`)

const formatted = changed?.filter(path => /\.(tsx?|jsx?|json|css)$/.test(path)) ?? []
const lint: Tool = {
  name: 'format and lint (biome)',
  script: '@biomejs/biome/bin/biome',
  args: ['check', '--colors=off', '--max-diagnostics=50', '--no-errors-on-unmatched', ...formatted],
}
const unused: Tool = {
  name: 'no unused file, export or dependency (knip)',
  script: 'knip/bin/knip.js',
  args: ['--no-progress', '--no-config-hints'],
}
const others = changed ? (formatted.length > 0 ? [lint] : []) : [lint, unused]
const typed = typedFolders()
await Promise.all([run(typed.length > 0 ? [types(typed)] : []), run(others)])

const codebase = readCodebase()
for (const rule of rules) report(rule.name, await rule.find(codebase))

const beyond = large(codebase)
if (beyond.length > 0) console.log(`\nLarge, but allowed:\n    ${beyond.join('\n    ')}`)
console.log(broken === 0 ? '\nEverything is in order.' : '\nNot in order: see ✗ above.')
process.exit(broken === 0 ? 0 : 1)
