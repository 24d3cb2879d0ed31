import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawn, type Mutant, mutantsOf } from './mutate/mutants.ts'
import { finished } from './prepare/run.js'
import { here } from './rules/codebase.ts'

const { values: asked } = parseArgs({
  options: {
    only: { type: 'string' },
    most: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run mutate -- [options]
  --only WORDS   only files whose path contains the words, such as "tickets.actions"
  --most 20      so many changes, drawn from all of them
  --seed 1       which ones

Changes one line of a rule or an action at a time and runs the tests of its feature. What no test notices is listed:
either a test is missing or the line is. A file is changed where it stands and put back; it has to be committed.`

const FILES = [
  'packages/contract/src/*.rules.ts',
  'apps/server/src/features/*/*.{actions,rules,receive,touch}.ts',
]

/** The tests that should notice: those of the same feature, on both sides. */
function testsOf(path: string): string[] {
  const feature = basename(path).split('.')[0]!
  return globSync(
    [`packages/contract/src/${feature}*.test.ts`, `apps/server/src/features/${feature}/*.test.ts`],
    { cwd: here },
  ).sort()
}

async function pass(tests: string[]): Promise<boolean> {
  const vitest = join(here, 'node_modules/vitest/vitest.mjs')
  const { code } = await finished(process.execPath, [vitest, 'run', '--bail=1', ...tests], {
    cwd: here,
    quiet: true,
  })
  return code === 0
}

async function isNoticed(path: string, { text }: Mutant): Promise<boolean> {
  const file = join(here, path)
  const source = readFileSync(file, 'utf8')
  const putBack = () => writeFileSync(file, source)
  const stop = () => {
    putBack()
    process.exit(1)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    writeFileSync(file, text)
    return !(await pass(testsOf(path)))
  } finally {
    putBack()
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

async function mutate() {
  const files = FILES.flatMap(pattern => globSync(pattern, { cwd: here }))
    .filter(path => path.includes(asked.only ?? '') && testsOf(path).length > 0)
    .sort()
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...files], {
    cwd: here,
    encoding: 'utf8',
  })
  if (changed) throw new Error(`commit first, so that nothing of yours can be lost:\n${changed}`)
  const all = files.flatMap(path =>
    mutantsOf(readFileSync(join(here, path), 'utf8')).map(mutant => ({ path, mutant })),
  )
  const chosen = drawn(all, Number(asked.most), Number(asked.seed))
  console.log(`${chosen.length} of ${all.length} changes in ${files.length} files`)
  const tests = [...new Set(chosen.flatMap(({ path }) => testsOf(path)))]
  if (!(await pass(tests))) throw new Error('the tests fail as it is: mend that first')
  let survived = 0
  for (const { path, mutant } of chosen) {
    const noticed = await isNoticed(path, mutant)
    if (!noticed) survived++
    console.log(`${noticed ? '✓' : '✗'} ${path}:${mutant.line}\n    ${mutant.before}\n    ${mutant.after}`)
  }
  console.log(`${chosen.length - survived} noticed, ${survived} not`)
}

if (asked.help) console.log(usage)
else await mutate()
