import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files of the working copy that differ from the last commit, new ones too; relative to the root, with slashes. */
export const uncommitted = (root: string): string[] =>
  [
    ['diff', '--name-only', '--relative', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ]
    .flatMap(args => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n'))
    .filter(path => path && existsSync(join(root, path)))
