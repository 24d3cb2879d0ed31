import { here, readCodebase } from './rules/codebase.ts'
import { followWays } from './ways/follow.ts'
import { leftOut } from './ways/ways.ts'

/**
 * `npm run ways`: how much of the project is read to follow one thing from its cause to its last effect. Follows what
 * each function refers to from the starts that `ways.ts` names. `--list` names the files with their lines.
 */
const house = readCodebase(here)
const lines = new Map(house.sources.map(({ path, text }) => [path, text.split('\n').length - 1]))
const listed = process.argv.includes('--list')

console.log(`Left out: ${leftOut.map(({ what }) => what).join('; ')}.`)
for (const { name, spine, whole } of followWays(house)) {
  console.log(
    `${name}: spine ${spine.files.length} files, whole ${whole.files.length} files, ${whole.declarations} declarations`,
  )
  const inSpine = new Set(spine.files)
  if (listed)
    for (const path of whole.files)
      console.log(`  ${String(lines.get(path)).padStart(4)} ${path}${inSpine.has(path) ? '' : ' (leaf)'}`)
}
