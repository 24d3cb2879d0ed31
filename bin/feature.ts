import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { fieldsOf, kinds, type List, USUAL } from './feature/fields.ts'
import { filesOf, sameName } from './feature/golden.ts'
import { writeMigration } from './feature/migration.ts'
import { rightOf } from './feature/right.ts'
import { type Language, languages, type Words, wordsOf } from './feature/words.ts'
import { finished } from './prepare/run.js'
import { here, readCodebase } from './rules/codebase.ts'

const usage = `npm run feature NAME -- --pt "feriado, feriados" --en "holiday, holidays" --es "feriado, feriados"
  Writes a whole list for NAME, a plural such as holidays: table, search, pages, form, live, tests.
  --fields "name:text, date:date, note:text?"   of ${kinds.join(', ')}; with ? one that may be left out
                     what they are called: --pt "feriado, feriados: nome, data, observação", for words that are not usual
  --right holidays   who may change it: whose permission group gives this new right, and admins; --right administration: admins
  --path /Holidays   where the documents put it, when that is not /NAME`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pt: { type: 'string' },
    en: { type: 'string' },
    es: { type: 'string' },
    path: { type: 'string' },
    fields: { type: 'string', default: USUAL },
    right: { type: 'string' },
  },
})

try {
  const [name] = positionals
  if (!name) throw new Error(usage)
  const words = wordsOf(name, await inThreeLanguages(), values.path)
  const files = filesOf(here, listOf(words))
  const taken = files.find(({ path, isNew }) => isNew && existsSync(join(here, path)))
  if (taken) throw new Error(`${taken.path} is there already`)
  const same = sameName(readCodebase(here), words, files)
  if (same) throw new Error(`${same}: choose another name`)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(here, path)), { recursive: true })
    writeFileSync(join(here, path), text)
  }
  const paths = files.flatMap(({ path }) => (/\.(md|txt)$/.test(path) ? [] : path))
  await run('@biomejs/biome/bin/biome', ['check', '--write', ...paths], here)
  await writeMigration(name, { quiet: true })
  for (const { path, says } of files) console.log(`✓ ${path.padEnd(62)} ${says}`)
  console.log(`✓ ${'apps/server/migrations'.padEnd(62)} its table
\nThen: its lengths and rules in packages/contract/src/${name}.ts and where the compiler leads, its icon in
apps/web/src/features/${name}/index.tsx, and npm run check.`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

function listOf(words: Words): List {
  const { pt, en, es } = words.said
  const rules = readFileSync(join(here, 'packages/contract/src/permissions.rules.ts'), 'utf8')
  return {
    words,
    fields: fieldsOf(values.fields, { pt: pt.fields, en: en.fields, es: es.fields }),
    right: values.right ? rightOf(values.right, rules) : null,
  }
}

/** The feature's display names: from the command line, or prompted for. */
async function inThreeLanguages(): Promise<Record<Language, string>> {
  const missing = languages.filter(language => !values[language])
  if (missing.length > 0 && !stdin.isTTY) throw new Error(`Say --${missing.join(', --')}\n${usage}`)
  const said = { pt: values.pt ?? '', en: values.en ?? '', es: values.es ?? '' }
  const ask = createInterface({ input: stdin, output: stdout })
  for (const language of missing) said[language] = await ask.question(`${language}, "one, many": `)
  ask.close()
  return said
}

async function run(script: string, args: string[], cwd: string) {
  const tool = join(here, 'node_modules', script)
  const { code, output } = await finished(process.execPath, [tool, ...args], { cwd, quiet: true })
  if (code !== 0) throw new Error(output)
}
