import type { Rule, Source } from './codebase.ts'

/**
 * Words of an earlier private language of this code, and what to write instead. A reader who never met the authors
 * understands the field's terms; some of these had a dozen meanings.
 */
const retired = new Map([
  ['heard', 'received, notified'],
  ['hears', 'receives, subscribes'],
  ['told', 'notified, reported, pushed'],
  ['tell', 'notify, report, publish'],
  ['tells', 'notifies, reports, publishes'],
  ['said', 'sent, reported, stated'],
  ['spoken', 'sent'],
  ['nobody', 'no user, not …'],
  ['standing', 'state, status'],
  ['deed', 'action'],
  ['deeds', 'actions'],
  ['weigh', 'measure, count'],
  ['weighs', 'measures, is … large'],
  ['sight', 'visibility'],
  ['house', 'project, server'],
])

export const noRetiredWords: Rule = {
  name: 'comments use the words of the field',
  find: ({ sources }) =>
    sources.flatMap(source =>
      commentsOf(source).flatMap(({ line, words }) =>
        words.map(word => `${source.path}:${line} says "${word}": write ${retired.get(word)}`),
      ),
    ),
}

/** A comment, or a string or template, which is skipped: it may hold what looks like a comment. */
const TOKENS =
  /(\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g

function commentsOf({ text }: Source) {
  return [...text.matchAll(TOKENS)].flatMap(({ 1: comment, index }) => {
    // what stands in code marks is quoted
    const words = comment?.replace(/`[^`]*`/g, '').match(/[a-z]+/gi) ?? []
    const found = [...new Set(words.map(word => word.toLowerCase()).filter(word => retired.has(word)))]
    return found.length > 0 ? [{ line: text.slice(0, index).split('\n').length, words: found }] : []
  })
}
