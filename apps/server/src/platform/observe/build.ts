import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cut } from '@balcao/contract/cut.rules.ts'
import { VERSION } from './version.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const journal = fileURLToPath(new URL('../../../migrations/meta/_journal.json', import.meta.url))

/** What runs: two installations differ in it, also between two versions. */
export interface Build {
  version: string
  /** Of the checkout, or of that of which a release or an image was made; null where neither is known. */
  commit: string | null
  /** The newest migration that this program knows. */
  migration: string
}

export function thisBuild(): Build {
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] }
  return { version: VERSION, commit: commitOf(root), migration: entries.at(-1)!.tag }
}

export const describeBuild = ({ version, commit, migration }: Build): string =>
  `Balcão ${version} (commit ${commit ? cut(commit, 12) : 'unknown'}, newest migration ${migration})`

/**
 * `release.json` is written by bin/release.ts and by the Dockerfile. The files of git are read as they are: the program
 * git refuses a folder that another user owns, as the tree of a service is.
 */
export function commitOf(folder: string): string | null {
  try {
    const release = join(folder, 'release.json')
    if (existsSync(release))
      return asCommit((JSON.parse(readFileSync(release, 'utf8')) as Partial<Build>).commit)
    return asCommit(headOf(gitFolder(folder)))
  } catch {
    return null
  }
}

const asCommit = (text: unknown) => (typeof text === 'string' && /^[0-9a-f]{40}$/.test(text) ? text : null)

/** A second working tree has a file there, which names the folder. */
function gitFolder(folder: string) {
  const git = join(folder, '.git')
  const named = textOr(git, '').match(/^gitdir: (.+)$/m)
  return named ? resolve(folder, named[1]!) : git
}

function headOf(git: string): string {
  const head = textOr(join(git, 'HEAD'), '')
  const [, ref] = /^ref: (\S+)/.exec(head) ?? []
  if (!ref) return head
  const common = resolve(git, textOr(join(git, 'commondir'), '.'))
  const packed = () =>
    textOr(join(common, 'packed-refs'), '')
      .split('\n')
      .find(line => line.endsWith(` ${ref}`))
      ?.split(' ')[0] ?? ''
  return textOr(join(common, ref), '') || packed()
}

function textOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return otherwise
  }
}
