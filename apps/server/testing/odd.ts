import { z } from 'zod'

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = ReturnType<typeof randomOf>
interface Schema {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** Input that the screens cannot produce, but strangers can. */
const ODD: unknown[] = [
  null,
  true,
  '',
  ' ',
  '0',
  '-1',
  'Infinity',
  '-Infinity',
  'NaN',
  'null',
  'undefined',
  '1e999',
  '1e3',
  '0x10',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '٣',
  '%',
  '%%_\\',
  "' or 1=1 --",
  'a\0b',
  'a\ud83d',
  '\u202e😀',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2026-02-30',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00-18:00',
  '9999-12-31T23:59:59-23:59',
  '2026-01-01T24:00:00',
  '[]',
  '[1,2]',
  '[null]',
  '[1e999]',
  '["a"]',
  '{"a":1}',
  '[[',
  '__proto__',
  'constructor',
  '\n'.repeat(3_000),
  'x'.repeat(70_000),
  0,
  -1,
  0.5,
  1e308,
  2_147_483_648,
  9_007_199_254_740_992,
  [],
  {},
  [[]],
  [null],
  [1, '1', -1],
  { id: 1 },
  { toString: 1 },
]

/** Values for a shape: mostly what it asks for, so that a call gets past its door, and often enough anything else. */
export function oddOnes(seed: number) {
  const random = randomOf(seed)
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!

  function value(schema: Schema, oddity: number): unknown {
    if (random() < oddity) return oneOf(ODD)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return oneOf(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return value(oneOf(choices), oddity)
    if (schema.type === 'object' || schema.properties) return object(schema, oddity)
    if (schema.type === 'array')
      return Array.from({ length: Math.floor(random() * 4) }, () => value(schema.items ?? {}, oddity))
    return plain(schema, random, oneOf)
  }

  function object({ properties = {} }: Schema, oddity: number) {
    const given: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(properties))
      if (random() < 0.75) given[name] = value(inner, oddity)
    return given
  }

  return {
    random,
    oneOf,
    odd: () => oneOf(ODD),
    /** An object for the shape; one in so many of its values is odd. */
    of: (shape: z.ZodType, oddity = oneOf([0.03, 0.15, 0.5])) => object(schemaOf(shape), oddity),
  }
}

const schemaOf = (shape: z.ZodType) =>
  z.toJSONSchema(shape, { io: 'output', unrepresentable: 'any' }) as Schema

function plain({ type, format, pattern }: Schema, random: Random, oneOf: <T>(values: T[]) => T): unknown {
  if (type === 'integer' || type === 'number') return Math.floor(random() * 40)
  if (type === 'boolean') return random() < 0.5
  if (format === 'email') return `odd${Math.floor(random() * 1e9)}@odd.test`
  if (format === 'uuid') return '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  if (format === 'date') return '2026-03-04'
  if (format === 'date-time') return '2026-03-04T10:00:00.000Z'
  if (pattern?.includes('#'))
    return `#${Math.floor(random() * 0xffffff)
      .toString(16)
      .padStart(6, '0')}`
  if (pattern?.includes('\\d')) return `5511${Math.floor(random() * 1e9)}`
  return oneOf(['Rita', 'x', '17', 'Bom dia', 'segredo'])
}
