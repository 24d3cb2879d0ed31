import type { Rule } from './codebase.ts'

/**
 * Half of a character that two UTF-16 units make is refused by JSON columns and by other systems: texts are shortened by
 * `cut()`. Lists, and texts of digits and ASCII letters alone, are named here by what is sliced.
 */
export const wholeTexts: Rule = {
  name: 'texts are cut between characters',
  find: house =>
    house.sources.flatMap(({ path, text }) =>
      concerns(path)
        ? [...text.matchAll(cuts)].flatMap(({ 0: found, index, groups }) =>
            harmless.has(receiverOf(text.slice(0, index), groups?.how))
              ? []
              : [`${path}: line ${lineOf(text, index)}: ${found.trim()}…: use cut() of cut.rules.ts`],
          )
        : [],
    ),
}

const concerns = (path: string) =>
  /^(apps|packages)\/\w+\/src\//.test(path) && !/\.(test|suite)\.tsx?$|\/seed\/|cut\.rules\.ts$/.test(path)

/** After so many units; not before something that was found in the text. */
const cuts =
  /\??\.(?:(?<how>slice)\(\s*0\s*,\s*(?:[\d_]+|[A-Z][A-Z\d_]*|most|size|limit)\s*\)|(?:substring|substr)\()/g

/** The last word before the call: `found` of `found.slice`, `toISOString` of `at.toISOString().slice`. */
function receiverOf(before: string, how: string | undefined): string {
  if (how === undefined) return ''
  const plain = before.replace(/!$/, '').trimEnd()
  if (/[^\w).?]\[[^[\]]*\]$/.test(plain)) return 'all'
  const called = plain.endsWith(')') ? plain.slice(0, openingOf(plain)) : plain
  return /([\w$]+)$/.exec(called)?.[1] ?? ''
}

/** Where the bracket opens that the last one closes. */
function openingOf(text: string): number {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    if (text[at] === '(' && --depth === 0) return at
  }
  return 0
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

const harmless = new Set([
  ...[
    'all',
    'cards',
    'cells',
    'chosen',
    'closed',
    'contacts',
    'filter',
    'found',
    'from',
    'labels',
    'line',
    'map',
  ],
  ...[
    'models',
    'newer',
    'older',
    'others',
    'page',
    'parts',
    'results',
    'rows',
    'same',
    'short',
    'sort',
    'split',
  ],
  ...['fitting', 'flatMap', 'localeCompare', 'times', 'toSorted', 'waiting', 'written'],
  // dates, numbers, ids
  ...[
    'clock',
    'date',
    'day',
    'digest',
    'finalDate',
    'firstAt',
    'hex',
    'id',
    'iso',
    'key',
    'moment',
    'ms',
    'newId',
  ],
  ...[
    'at',
    'pairingCode',
    'requestId',
    'rest',
    'sendAt',
    'shown',
    'String',
    'toISOString',
    'toString',
    'turn',
  ],
])
