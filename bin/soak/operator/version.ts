import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Leftovers } from './leftovers.ts'
import { outputOf } from './programs.ts'

/** What of the repository an upgrade begins with: the option's, or the last tag; null where there is neither. */
export async function versionBefore(root: string, asked: string): Promise<string | null> {
  if (asked) return asked
  const tag = await outputOf(['git', 'describe', '--tags', '--abbrev=0'], root).catch(() => null)
  return tag?.trim() || null
}

/** Checks the version out beside this one, with its own packages. Answers the folder. */
export async function checkOut(root: string, ref: string, folder: string, leftovers: Leftovers) {
  const code = join(folder, 'before')
  leftovers.add('the checkout of the version before', () => {
    rmSync(code, { recursive: true, force: true })
    execFileSync('git', ['worktree', 'prune'], { cwd: root })
  })
  await outputOf(['git', 'worktree', 'add', '--detach', code, ref], root)
  await outputOf(['npm', 'ci', '--no-audit', '--no-fund'], code)
  return code
}
