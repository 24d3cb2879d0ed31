import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Codebase } from '../rules/codebase.ts'
import { bodyOf, type Field, type List, type Passage } from './fields.ts'
import { passagesOf, replaced } from './passages.ts'
import { rightsPassages } from './right.ts'
import { capital, joined, type Words, wordsOf } from './words.ts'

/** The list that every other is a copy of: what is right there is right everywhere. */
const golden = wordsOf('quickAnswers', {
  pt: 'resposta rápida, respostas rápidas',
  en: 'quick answer, quick answers',
  es: 'respuesta rápida, respuestas rápidas',
})

const [onServer, onWeb] = ['apps/server/src/features/quickAnswers', 'apps/web/src/features/quickAnswers']

/** What of it is copied. The rest of its files is its own: what the composer needs, and its demo data. */
const copied: [path: string, says: string][] = [
  ['packages/contract/src/quickAnswers.ts', 'shapes, routes, live channel'],
  [`${onServer}/quickAnswers.table.ts`, 'table, indexes, foreign keys'],
  [`${onServer}/quickAnswers.queries.ts`, 'all SQL'],
  [`${onServer}/quickAnswers.actions.ts`, 'the verbs; one transaction each'],
  [`${onServer}/quickAnswers.events.ts`, 'what it announces'],
  [`${onServer}/quickAnswers.live.ts`, 'which event goes to whom'],
  [`${onServer}/quickAnswers.routes.ts`, 'contract route -> action'],
  [`${onServer}/quickAnswers.test.ts`, 'sentences, over HTTP'],
  [`${onServer}/index.ts`, "the feature's card"],
  [`${onWeb}/quickAnswers.api.ts`, 'keys, queries, mutations'],
  [`${onWeb}/quickAnswers.live.ts`, 'a push asks the list again'],
  [`${onWeb}/quickAnswers.text.ts`, 'pt, en, es side by side'],
  [`${onWeb}/quickAnswers.menu.text.ts`, 'what the menu says'],
  [`${onWeb}/quick-answers-screen.tsx`, 'table, search, delete'],
  [`${onWeb}/quick-answer.dialog.tsx`, 'the form'],
  [`${onWeb}/index.tsx`, "the feature's card: screen, menu entry, live"],
  [`${onWeb}/quick-answers-screen.test.tsx`, 'the screen before a server in memory'],
]

/** The accessible frames of its list and of its dialog are named by their addresses. */
const frames: [path: string, name: string][] = [
  ['e2e/frames/quickAnswers.txt', ''],
  ['e2e/frames/quickAnswers-new.txt', '-new'],
]

/** Files that name every feature: each line that names the golden one is repeated for the new one. */
const listing: [path: string, says: string][] = [
  ['apps/server/src/features.ts', 'listed'],
  ['apps/web/src/features.ts', 'listed'],
  ['apps/server/testing/access.table.ts', 'who may call what'],
  ['apps/server/src/tenancy.test.ts', 'what no other company hears'],
  ['e2e/screens.ts', 'looked at in every theme and on a phone'],
  ['docs/growth.md', 'how long its rows stay: until they are deleted'],
  ['docs/personal-data.md', 'which of its columns are personal: none, until you say so'],
]

export interface FeatureFile {
  path: string
  says: string
  text: string
  isNew: boolean
}

/** Every file of a new list, the lists of features with its lines, and where a new right is written. */
export function filesOf(root: string, list: List): FeatureFile[] {
  const { words, fields } = list
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const passages = passagesOf(list)
  const written = (path: string, text: string) =>
    renamed(words, rewritten(fields, path, text, passages[path] ?? []))
  const rights = Object.entries(rightsPassages(list, bodyOf(fields)))
  return [
    ...copied.map(([path, says]) => ({
      path: named(words, path),
      says,
      text: written(path, read(path)),
      isNew: true,
    })),
    ...frames.map(([path, name]) => ({
      path: `e2e/frames/${words.path.slice(1).replace(/\W+/g, '-')}${name}.txt`,
      says: 'what a reader of the screen finds',
      text: written(path, read(path)),
      isNew: true,
    })),
    ...listing.map(([path, says]) => ({
      path,
      says,
      text: doubled(read(path), lines => written(path, lines)),
      isNew: false,
    })),
    ...rights.map(([path, added]) => ({
      path,
      says: 'its right',
      text: added.reduce((text, passage) => replaced(text, passage, path), read(path)),
      isNew: false,
    })),
  ]
}

/** Which file exports a name of the new list already; null when none does. */
export function sameName({ sources }: Codebase, { one, many }: Words, files: FeatureFile[]): string | null {
  const own = files
    .filter(({ path, isNew }) => isNew && /\.tsx?$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(EXPORTED)].map(([, name]) => name!))
    .filter(name => name.includes(capital(one)) || name.includes(capital(many)) || name === many)
  for (const { path, text } of sources)
    for (const [, name] of text.matchAll(EXPORTED))
      if (own.includes(name!)) return `${name} is exported by ${path}`
  return null
}

const EXPORTED = /^export (?:default )?(?:async )?(?:const|type|interface|class|function) (\w+)/gm

const names = [golden.many, joined(golden.many, '_')]

/** Each line that names the golden list, and the new one's below it. */
function doubled(text: string, write: (lines: string) => string) {
  const lines = text.split('\n')
  const isGolden = (line: string) => names.some(name => line.includes(name))
  const added = write(lines.filter(isGolden).join('\n')).split('\n')
  return lines.flatMap(line => (isGolden(line) ? [line, added.shift()!] : [line])).join('\n')
}

/** The first field takes the place of the shortcut; passages have the others. */
function rewritten([first]: Field[], path: string, text: string, passages: Passage[]): string {
  const { name, label } = first!
  const byFirst = (one: string) =>
    one
      .replaceAll('by_shortcut', `by_${joined(name, '_')}`)
      .replaceAll('shortcut', name)
      .replaceAll('Atalho', label.pt)
  return passages.reduce((done, [from, to]) => {
    const found: Passage[0] =
      typeof from === 'string'
        ? byFirst(from)
        : Array.isArray(from)
          ? [byFirst(from[0]), byFirst(from[1])]
          : from
    return replaced(done, [found, to], path)
  }, byFirst(text))
}

const renamed = (words: Words, text: string) =>
  named(words, said(words, atPath(words, text))).replace(REQUIREMENTS, '')

/** A copy proves no requirement: the ids at the end of a test's title are left out. */
const REQUIREMENTS = / \[[A-Z]+-\d+((, | … )[A-Z]+-\d+)*\]/g

const atPath = ({ path }: Words, text: string) => text.replace(/(?<=['*])\/quickAnswers(?=['/?:])/g, path)

/** The names of code, longest first; the plural ones hold the singular ones. */
function named(words: Words, text: string): string {
  const forms = (name: string) => [
    name,
    capital(name),
    joined(name, '-'),
    joined(name, '_'),
    joined(name, '_').toUpperCase(),
  ]
  return [golden.many, golden.one].reduce((done, from, at) => {
    const to = forms(at === 0 ? words.many : words.one)
    return forms(from).reduce((now, form, which) => now.replaceAll(form, to[which]!), done)
  }, text)
}

/** What people read, in three languages. */
const said = (words: Words, text: string) =>
  (['pt', 'en', 'es'] as const).reduce((done, language) => {
    const [from, to] = [golden.said[language], words.said[language]]
    return done
      .replaceAll(capital(from.many), capital(to.many))
      .replaceAll(from.many, to.many)
      .replaceAll(capital(from.one), capital(to.one))
      .replaceAll(from.one, to.one)
  }, text)
