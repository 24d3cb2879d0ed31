import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { withoutLast } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'

// What a variable takes, each with its words for who gave something else.

export const anyText = z.string().max(500, 'takes at most 500 characters')
export const on = z
  .enum(['0', '1', 'true', 'false', 'enabled', 'disabled'], 'takes 1 or 0')
  .transform(value => ['1', 'true', 'enabled'].includes(value))
export const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      `takes an address that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
    )
export const webAddress = address('http', 'https').transform(value => withoutLast(value, '/'))
export const whole = (takes: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, takes)
    .transform(Number)
    .refine(value => value >= min && value <= max, `${takes}, ${min} to ${max}`)
export const list = z.string().transform(value =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
)
export const picturePath = anyText
  .transform(value => resolve(value))
  .refine(value => /\.(png|jpe?g|webp|gif)$/i.test(value), 'takes the path of a PNG, JPEG, WebP or GIF file')
  .refine(isReadable, 'names a file that is not there or cannot be read')
export const sender = z
  .string()
  .refine(
    value => z.email().safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success,
    'takes an e-mail address, or a name and the address: Balcão <balcao@example.com>',
  )
export const randomBytes = z
  .string()
  .refine(value => Buffer.byteLength(value) >= 32, 'takes at least 32 random bytes')
  .refine(value => !isSample(value), 'takes random bytes, not a sample that others know')
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)

/** Strong-looking secrets that relatives of this product publish in their example files. */
const published = [
  'kZaOTd+YZpjRUyyuQUpigJaEMk4vcW4YOymKPZX0Ts8=',
  'dBSXqFg9TaNUEDXVp6fhMTRLBysP+j2DSqf7+raxD3A=',
]

function isSample(secret: string) {
  const words = /secret|segredo|change|example|exemplo|sample|password|senha|your[-_ ]|balcao/i
  return published.includes(secret) || words.test(secret) || new Set(secret).size < 8
}

function isReadable(path: string) {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
