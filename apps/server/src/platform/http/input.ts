import { MAX_DEPTH } from '@balcao/contract/kit.ts'
import type { z } from 'zod'
import { Refusal } from '../errors.ts'
import type { Wording } from './wording.ts'

/** The input, parsed by its shape. Refuses with ERR_BAD_REQUEST and the field what does not fit, and what cannot be stored. */
export function check(shape: z.ZodType, given: unknown, wording?: Wording) {
  // whoever looks at it later goes down into it as deep as it is
  const deep = tooDeepIn(given)
  if (deep !== null) throw bad(deep, 'Is nested too deep')
  const result = shape.safeParse(given, wording && { error: wording })
  if (!result.success) {
    const issue = result.error.issues[0]
    throw bad(issue?.path.join('.') ?? '', issue?.message)
  }
  const unkept = unkeptIn(result.data)
  if (unkept !== null) throw bad(unkept, 'Holds an impossible character')
  return result.data
}

const bad = (field: string, message: string | undefined) =>
  new Refusal('ERR_BAD_REQUEST', { field: field || 'body', message })

/** The field that is nested deeper than anything a shape asks for; null where none is. */
function tooDeepIn(given: unknown): string | null {
  if (!isBranch(given)) return null
  for (const [field, value] of Object.entries(given)) {
    let level = [value].filter(isBranch)
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > MAX_DEPTH) return field
      level = level.flatMap(one => Object.values(one).filter(isBranch))
    }
  }
  return null
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The path of a text that the database refuses, with NUL or half a character; null when all can be stored. */
function unkeptIn(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return isKept(value) ? null : path
  if (!isBranch(value)) return null
  for (const [name, inner] of Object.entries(value)) {
    if (!isKept(name)) return path
    const found = unkeptIn(inner, path ? `${path}.${name}` : name)
    if (found !== null) return found
  }
  return null
}

const isKept = (text: string) => !text.includes('\0') && text.isWellFormed()
