import type { Codebase, Rule, Source } from './codebase.ts'
import { beyondExceptions } from './exceptions.ts'

const casts = /\bas (?:unknown as|never\b|any\b|ExternalId\b)|@ts-(?:ignore|expect-error)/
/** Makes the ids that others chose fit for a column, and alone calls them so. */
const MAKES_IDS = 'apps/server/src/platform/external.ts'
const waits =
  /await (?:sleep|delay)\(|new Promise(?:<\w+>)?\(\(?\w+\)? => (?:void )?setTimeout\(\w+, |waitForTimeout\(/

/** A lie to the compiler is a defect with a delay: a type that is true, or a parse at the edge. */
export const noCasts: Rule = {
  name: 'types are true',
  find: house =>
    counted(house, 'casts', casts, ({ path }) => path !== MAKES_IDS, 'write a type that is true, or parse'),
}

/** A test that sleeps is slow on a fast machine and wrong on a slow one. */
export const noSleeps: Rule = {
  name: 'tests wait for what they expect',
  find: house =>
    counted(house, 'fixed waits', waits, ({ path }) => /\.(test|suite|e2e)\.tsx?$/.test(path), 'use until()'),
}

function counted(
  house: Codebase,
  rule: string,
  mark: RegExp,
  concerns: (source: Source) => boolean,
  instead: string,
): string[] {
  const found = new Map<string, string[]>()
  for (const source of house.sources) {
    if (!concerns(source) || source.path.startsWith('bin/rules/')) continue
    const lines = source.text.split('\n').flatMap((line, at) => (mark.test(line) ? [`line ${at + 1}`] : []))
    if (lines.length > 0) found.set(source.path, lines)
  }
  return beyondExceptions(house, rule, found, instead)
}
