import { expect, test } from 'vitest'
import { z } from 'zod'
import { unboundedIn } from './bounded-inputs.ts'
import { sourceOf } from './codebase.ts'
import { linearExpressions, superLinear } from './linear-expressions.ts'

test('an expression that reads a text again at each of its places is found, also where the analyser overlooks it', () => {
  for (const expression of [
    /\s+$/,
    /(a+)+$/,
    /^\s*(\d{1,3})\s*[.)-]?\s*$/,
    /"(?:[^"\\]|\\.)*"|[[\]{}]/g,
    /^.*?\d{4}-\S+ \S+ \S+ \[\d+\] /,
  ])
    expect(superLinear(expression.source, expression.flags), String(expression)).toMatch(
      /^is (quadratic|exponential)/,
    )
  for (const expression of [/\s+/g, /"[^"]*"/g, /^\s*(?:\(\s*)?\+/, /[.)]+/, /a{1,20}b/])
    expect(superLinear(expression.source, expression.flags), String(expression)).toBeNull()
})

test('an expression that is built of a text is named with its reason, or is none', async () => {
  const find = (path: string) =>
    linearExpressions.find({ root: '', sources: [sourceOf(path, 'const found = new RegExp(name)')] })
  expect(await find('apps/web/src/features/tags/search.ts')).toEqual([
    'apps/web/src/features/tags/search.ts:1: new RegExp(name) is built: from what? Use a literal, or name it in short-texts.ts',
  ])
  expect(await find('packages/contract/src/pages.rules.ts')).toEqual([])
})

test('a text, a list and a record of an input have a bound, whatever is around them', () => {
  const name = z.string().trim()
  const found = (shape: z.ZodType) => unboundedIn(shape, 'body').map(({ path, what }) => `${path}: ${what}`)
  expect(
    found(
      z.object({
        name: name.optional(),
        tags: z.array(name.max(5)).default([]),
        more: z.record(z.string(), name),
        all: z.looseObject({ id: z.int() }).or(z.string().max(3)),
        mail: z.preprocess(given => given, z.union([z.literal(''), z.email()])),
      }),
    ),
  ).toEqual([
    'body.name: a text',
    'body.tags: a list',
    'body.more: a record',
    'body.all.*: anything',
    'body.mail: a text',
  ])
  expect(
    found(
      z.object({
        name: name.max(50).nullable(),
        tags: z.array(z.uuid()).max(5),
        mail: z
          .string()
          .max(200)
          .pipe(z.email().or(z.literal(''))),
        code: z.string().regex(/^[A-Z]{2}$/),
        more: z.record(z.string(), z.unknown()).refine(all => Object.keys(all).length < 5),
      }),
    ),
  ).toEqual([])
})
