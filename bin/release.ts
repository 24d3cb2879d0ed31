import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, thisBuild } from '../apps/server/src/platform/observe/build.ts'
import { isHeld, notesOf } from './release/contents.ts'

// npm run release: what a tagged version consists of, in .balcao/release: a tarball that runs by itself, its list of packages
// (CycloneDX), its notes, its facts, and their checksums. Nothing is fetched, and nothing is sent anywhere.
// `-- --untagged` makes it of a commit without a tag, to try it.

/** What whoever releases can mend. */
class Refused extends Error {}

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

function release(args: string[]) {
  const unknown = args.find(arg => arg !== '--untagged')
  if (unknown) throw new Refused(`npm run release takes -- --untagged, or nothing: ${unknown}`)
  const build = thisBuild()
  refuseOtherThanTag(build, { untagged: args.includes('--untagged') })
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), build.version)
  if (notes === null) throw new Refused(`CHANGELOG.md does not name ${build.version}`)

  const name = `balcao-${build.version}`
  const folder = join(root, '.balcao', 'release')
  rmSync(folder, { recursive: true, force: true })
  const stage = join(folder, name)
  fill(stage, build)
  pack(folder, name)
  rmSync(stage, { recursive: true })
  writeFileSync(join(folder, `${name}.cdx.json`), packages())
  writeFileSync(join(folder, `${name}.notes.md`), `${notes}\n`)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(build, null, 2)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums(folder))
  console.log(`Balcão ${build.version}, newest migration ${build.migration}: ${folder}`)
  for (const line of readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')) console.log(line)
}

/** A version is a tag: what is published under its name is what the tag names. */
function refuseOtherThanTag({ version }: Build, { untagged }: { untagged: boolean }) {
  const changed = git('status', '--porcelain')
  if (changed) throw new Refused(`What is not committed is in no release:\n${changed}`)
  if (untagged) return
  const tags = git('tag', '--points-at', 'HEAD').split('\n')
  if (!tags.includes(`v${version}`))
    throw new Refused(
      `The commit has no tag v${version}: git tag v${version}, or npm run release -- --untagged`,
    )
}

function fill(stage: string, build: Build) {
  mkdirSync(stage, { recursive: true })
  for (const path of git('ls-files').split('\n').filter(isHeld)) cpSync(join(root, path), join(stage, path))
  // built by bin/prepare.js from these very sources
  cpSync(join(root, 'apps/web/dist'), join(stage, 'apps/web/dist'), { recursive: true })
  writeFileSync(join(stage, 'release.json'), `${JSON.stringify(build, null, 2)}\n`)
}

/** The same commit makes the same bytes: names in order, the time of the commit, no owner. */
function pack(folder: string, name: string) {
  const made = git('log', '-1', '--format=%ct')
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${made}`,
    '--mode=u+rwX,go=rX',
  ]
  execFileSync('tar', [...same, '-C', folder, '-czf', join(folder, `${name}.tar.gz`), name], {
    stdio: 'inherit',
  })
}

function packages() {
  const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const windows = process.platform === 'win32'
  return execFileSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    shell: windows,
    maxBuffer: 100_000_000,
  })
}

const sums = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map(
      file =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')

try {
  release(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Refused ? error.message : error)
  process.exit(1)
}
