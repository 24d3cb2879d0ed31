import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule, Source } from './codebase.ts'

const PAGE = 'docs/requirements.md'
const states = /^(holds|holds, by hand|untried|(partly|changed|later): .+)$/

/** The page of requirements names tests that are there: a proof that was renamed or removed is found. */
export const proofsStand: Rule = {
  name: 'every requirement’s proof is a test that exists',
  find({ root, sources }) {
    const page = join(root, PAGE)
    return existsSync(page) ? unproved(readFileSync(page, 'utf8'), sources) : []
  },
}

/** A line for each row that proves nothing: a file or a sentence that is not there, an odd state, an id said twice. */
export function unproved(page: string, sources: Source[]): string[] {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const seen = new Set<string>()
  return page.split('\n').flatMap((line, at) => {
    const [, id, , state = '', proof = ''] = line.split('|').map(cell => cell.trim())
    if (!id || !/^[A-Z]+-\d+/.test(id)) return []
    const found = [
      ...(seen.has(id) ? ['stands twice'] : []),
      ...(states.test(state) ? [] : [`is in no known state: ${state}`]),
      ...(state === 'holds' && sentencesIn(proof).length === 0 ? ['holds, but names no test'] : []),
      ...sentencesIn(proof).flatMap(named => missing(named, texts)),
    ]
    seen.add(id)
    return found.map(what => `${PAGE}:${at + 1} ${id} ${what}`)
  })
}

interface Named {
  file: string
  sentence: string
}

/** `file`: "sentence"; "sentence of the same file"; `other file`: "sentence" */
function sentencesIn(proof: string): Named[] {
  let file = ''
  return [...proof.matchAll(/`([^`]+)`: |"(.+?)"(?=;|$)/g)].flatMap(([, path, sentence]) => {
    if (path) file = path
    return sentence ? [{ file, sentence }] : []
  })
}

function missing({ file, sentence }: Named, texts: Map<string, string>): string[] {
  const text = texts.get(file)
  if (text === undefined) return [`names ${file}, which is not there`]
  const quoted = new RegExp(`\\(\\s*(['"\`])${literally(sentence)}\\1\\s*,`)
  return quoted.test(text) ? [] : [`names a sentence that ${file} does not have: ${sentence}`]
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
