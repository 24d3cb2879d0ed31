import { z } from 'zod'
import type { Need } from './permissions.rules.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Shape = z.ZodType

/** One call of the API: everything the server checks and the web app sends, said once. */
export interface Route<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  method: Method
  path: string
  /** Other paths of the documents that answer the same (case and a trailing slash never matter). */
  aliases: string[]
  /** What the caller must be allowed to do; refused when unsaid. */
  needs: Need
  /** One sentence for the API description. */
  says: string
  params: P
  query: Q
  body: B
  /** `multipart`: the body may come as form fields plus files; `only` when nothing else is accepted. */
  files: 'none' | 'also' | 'only'
  reply: R
  /** Calls a minute and address; unset means the general limit. */
  perMinute?: number
}

const nothing = z.object({})

type Spec<P extends Shape, Q extends Shape, B extends Shape, R extends Shape> = Pick<
  Route,
  'needs' | 'says'
> &
  Partial<Pick<Route, 'aliases' | 'files' | 'perMinute'>> & { params?: P; query?: Q; body?: B; reply?: R }

/** Declares a call. Input that fails its shapes is answered 400 with the field; the reply is cut to its shape. */
export function route<
  P extends Shape = typeof nothing,
  Q extends Shape = typeof nothing,
  B extends Shape = typeof nothing,
  R extends Shape = typeof nothing,
>(method: Method, path: string, spec: Spec<P, Q, B, R>): Route<P, Q, B, R> {
  return {
    method,
    path,
    aliases: spec.aliases ?? [],
    needs: spec.needs,
    says: spec.says,
    params: (spec.params ?? nothing) as P,
    query: (spec.query ?? nothing) as Q,
    body: (spec.body ?? nothing) as B,
    files: spec.files ?? 'none',
    reply: (spec.reply ?? nothing) as R,
    perMinute: spec.perMinute,
  }
}

/** A live channel. `{companyId}` in its name is filled from the session on both sides. */
export interface Channel<S extends Shape = Shape> {
  name: string
  payload: S
}

export const channel = <S extends Shape>(name: string, payload: S): Channel<S> => ({ name, payload })

export const channelName = (of: Channel, companyId: number) =>
  of.name.replace('{companyId}', String(companyId))

/** Page size of every `pageNumber` list; tickets and messages use LONG_PAGE. */
export const PAGE = 20
export const LONG_PAGE = 40

const fromText = <T>(schema: z.ZodType<T>, read: (text: string) => unknown) =>
  z.preprocess(value => (typeof value === 'string' ? read(value) : value), schema) as unknown as z.ZodType<
    T,
    T
  >

const readJson = (text: string): unknown => {
  try {
    return text === '' ? [] : JSON.parse(text)
  } catch {
    return text
  }
}

/** The largest id PostgreSQL's integer holds: anything above is a wrong number, not a missing row. */
const wholeId = z.int().positive().max(2_147_483_647)

/** Values that arrive as text (path, query, form fields) but mean a number, a list or a flag. */
export const id = fromText(wholeId, text => (/^\d+$/.test(text) ? Number(text) : text))
export const idList = fromText(z.array(wholeId).max(500), readJson)
export const pageNumber = fromText(z.int().min(1).max(100_000), text => (text === '' ? 1 : Number(text)))
export const flag = fromText(z.boolean(), text =>
  text === 'true' || text === '1' ? true : text === 'false' || text === '0' || text === '' ? false : text,
)

/** The documents mix 0/1 and booleans (OP-64): both are read, the documented type is answered. */
export const bit = z.preprocess(
  value =>
    value === true || value === 'true' || value === '1'
      ? 1
      : value === false || value === 'false' || value === '0'
        ? 0
        : value,
  z.union([z.literal(0), z.literal(1)]),
) as unknown as z.ZodType<0 | 1, 0 | 1 | boolean>

/** A moment in UTC, ISO 8601 with milliseconds. */
export const instant = z.iso.datetime()

/** A moment or a day as a filter takes it. */
export const moment = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ local: true }),
  z.iso.date(),
])

/** Texts of the documents for the commonest refusals of a form. */
export const text = (min: number, max: number) =>
  z.string({ error: 'Required' }).trim().min(1, 'Required').min(min, 'Too Short!').max(max, 'Too Long!')
export const email = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .max(200, 'Too Long!')
  .pipe(z.email('Invalid email'))
