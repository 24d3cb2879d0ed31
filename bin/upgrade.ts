import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { finished } from './prepare/run.js'
import { compareFields, fieldsOfLibrary } from './upgrade/fields.ts'
import { failuresIn, type Suite } from './upgrade/report.ts'
import { bundledWebVersion, currentWebVersion } from './upgrade/web-version.ts'

const usage = `npm run upgrade:baileys -- VERSION [options]
  Tries a version of Baileys in a scratch copy of this folder: installs it there, checks the types, runs every suite of the
  driver and of the test server, and prints which private parts have moved. Nothing here changes.
  --keep   leaves the copy, for work on what fails
  --web    only compares the versions of WhatsApp's web client: what Baileys brings, and what WhatsApp serves now; and the
           fields of messages that Baileys reads with those that WhatsApp has (library/message-fields.ts)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** By a part of their path, as vitest filters. */
const SUITES = ['channels/baileys', 'testing/whatsapp-server', '.baileys.test']
const PARTS = 'library/private-parts.test.ts'
const WORKSPACES = ['-w', 'apps/server', '-w', 'testing/whatsapp-server']
const REPORT = '.balcao/reports/upgrade.json'

const root = process.cwd()
const [version] = positionals

/** True when every suite passed. */
async function tryOut(version: string): Promise<boolean> {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`${version} is no exact version`)
  const copy = mkdtempSync(join(tmpdir(), 'balcao-upgrade-'))
  try {
    console.log(`Copying to ${copy} and installing baileys@${version} …`)
    await copySources(copy)
    const options = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
    const chosen = [...options, '--save-exact', `baileys@${version}`, ...WORKSPACES]
    // with workspaces named npm installs theirs alone
    if (!(await succeeds('npm', chosen, copy)) || !(await succeeds('npm', options, copy)))
      throw new Error(`baileys@${version} could not be installed`)
    await compareWebVersions(copy)
    compareSchemas(copy)
    return await prove(copy)
  } finally {
    if (!values.keep) rmSync(copy, { recursive: true, force: true })
  }
}

/** What is tracked, and new files that are not ignored, as they are now. */
async function copySources(copy: string): Promise<void> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { output } = await finished('git', listing, { cwd: root, quiet: true })
  for (const file of output.split('\0').filter(Boolean))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
}

async function prove(copy: string): Promise<boolean> {
  console.log('Checking the types …')
  const isTyped = await succeeds('npx', ['tsc', '-b'], copy)
  console.log('Running the suites of the driver; this takes some minutes …')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`]
  await succeeds('npx', ['vitest', 'run', '--retry=1', ...SUITES, ...reporters], copy)
  const suites = failuresIn(readFileSync(join(copy, REPORT), 'utf8'), copy)
  print(isTyped, suites)
  if (values.keep) console.log(`The copy is in ${copy}`)
  return isTyped && suites.every(({ failed }) => failed.length === 0)
}

const succeeds = async (program: string, args: string[], cwd: string): Promise<boolean> =>
  (await finished(program, args, { cwd, shell: process.platform === 'win32' })).code === 0

function print(isTyped: boolean, suites: Suite[]): void {
  const moved = suites.find(({ file }) => file.endsWith(PARTS))?.failed ?? []
  const failing = suites.filter(({ file, failed }) => failed.length > 0 && !file.endsWith(PARTS))
  console.log(isTyped ? '\nThe types fit.' : '\nThe types do not fit: see above.')
  console.log(moved.length === 0 ? 'No private part has moved.' : 'Private parts that have moved:')
  for (const title of moved) console.log(`  ${title}`)
  console.log(failing.length === 0 ? 'Every suite passes.' : 'Suites that fail:')
  for (const { file, failed } of failing) {
    console.log(`  ${file}`)
    for (const title of failed) console.log(`    ${title}`)
  }
}

async function compareWebVersions(folder: string): Promise<void> {
  const bundled = bundledWebVersion(folder)
  const current = await currentWebVersion()
  console.log(
    `WhatsApp's web client: Baileys brings ${bundled}, WhatsApp serves ${current ?? '(not reachable)'}.`,
  )
}

function compareSchemas(folder: string): void {
  const lines = compareFields(fieldsOfLibrary(folder))
  console.log(
    lines.length === 0 ? 'Baileys reads every field of a message.' : 'The fields of a message differ:',
  )
  for (const line of lines) console.log(`  ${line}`)
}

if (values.help || (!version && !values.web)) console.log(usage)
else if (values.web) {
  await compareWebVersions(root)
  compareSchemas(root)
} else process.exitCode = (await tryOut(version!)) ? 0 : 1
