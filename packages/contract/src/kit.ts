import { z } from 'zod'
import type { Need } from './permissions.rules.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Shape = z.ZodType

/** One call of the API: the single definition of what the server checks and the web app sends. */
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
  /** The required permission. */
  needs: Need
  /** One sentence for the API description. */
  summary: string
  params: P
  query: Q
  body: B
  /** `multipart`: the body may come as form fields plus files; `only` when nothing else is accepted. */
  files: 'none' | 'also' | 'only'
  /** So large its JSON may be, where that is more than usual: of lists. */
  bodyBytes?: number
  /** So large each file may be at most, where that is less than its kind may be. */
  fileBytes?: number
  reply: R
  /** The type of the file that is answered instead of JSON. */
  answers?: string
  /**
   * The path of the GET that reads the record which this call changes. Beside its body such a call takes `seen`: fields of
   * the record as its writer read them. Where one of them is another by now, it refuses with ERR_CHANGED_MEANWHILE.
   */
  edits?: string
  /** The field of the reply that is the record, where the reply holds more (`edits`). */
  record?: string
  /** Beside the general limit of calls a minute, which every user and every address has. */
  limit?: Limit
}

/** Rate limit per minute of a call. */
export interface Limit {
  /** `failures`: a call that succeeds does not count. */
  counts: 'calls' | 'failures'
  /** Per user, or per address without a session. */
  caller: number
  /** On one account, which is the `email` of the body, from one address; from all of them three times as often. */
  account?: number
  /** By all of one company together; only of calls that programs make. */
  company?: number
  /**
   * By all callers together who show nothing that was signed for them. Beyond it each of them has a tenth of `caller`, so
   * that strangers slow each other down and refuse none who comes for the first time.
   */
  all?: number
  /** The same, as a bound: of a service of others, without which the caller goes on. */
  outside?: number
  /** Calls with the same name share a limit; default: separate. */
  of?: string
}

const nothing = z.object({})

type Spec<P extends Shape, Q extends Shape, B extends Shape, R extends Shape> = Pick<
  Route,
  'needs' | 'summary'
> &
  Partial<
    Pick<Route, 'aliases' | 'files' | 'bodyBytes' | 'fileBytes' | 'limit' | 'answers' | 'edits' | 'record'>
  > & {
    params?: P
    query?: Q
    body?: B
    reply?: R
  }

/** Of one press of a button: an action that was carried out under it is not carried out again, and is answered as it was. */
export const requestId = z.uuid().optional()

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
    summary: spec.summary,
    params: (spec.params ?? nothing) as P,
    query: (spec.query ?? nothing) as Q,
    body: (spec.body ?? nothing) as B,
    files: spec.files ?? 'none',
    ...(spec.bodyBytes !== undefined && { bodyBytes: spec.bodyBytes }),
    ...(spec.fileBytes !== undefined && { fileBytes: spec.fileBytes }),
    reply: (spec.reply ?? nothing) as R,
    ...(spec.answers !== undefined && { answers: spec.answers }),
    ...(spec.edits !== undefined && { edits: spec.edits }),
    ...(spec.record !== undefined && { record: spec.record }),
    limit: spec.limit,
  }
}

/** A live channel. `{companyId}` in its name is filled from the session on both sides. */
export interface Channel<S extends Shape = Shape> {
  name: string
  payload: S
}

export const channel = <S extends Shape>(name: string, payload: S): Channel<S> => ({ name, payload })

/** The payload of an event on a channel. */
export type Push<C extends Channel> = z.output<C['payload']>

export const channelName = (of: Channel, companyId: number) =>
  of.name.replace('{companyId}', String(companyId))

/** Page size of every `pageNumber` list; tickets and messages use LONG_PAGE. */
export const PAGE = 20
export const LONG_PAGE = 40

/** Filtered rows are counted up to this limit. */
export const COUNTED_AT_MOST = 10_000

const fromText = <T>(schema: z.ZodType<T>, read: (text: string) => unknown) =>
  z.preprocess((value: T) => (typeof value === 'string' ? read(value) : value), schema)

/** An optional parameter of a screen: a keyword or an id; a number that is no valid id is refused. */
export const idOrWord = z
  .string()
  .max(20)
  .refine(text => (/^\d+$/.test(text) ? Number(text) <= MAX_ID : Number.isNaN(Number(text))), 'Not an id')

/** One of these, also as its text. */
export const oneOf = <const T extends string | number>(values: readonly [T, ...T[]]) =>
  fromText<T>(z.literal([...values]), text => values.find(value => String(value) === text) ?? text)

/** Depth limit of nested values, for recursive code. */
export const MAX_DEPTH = 32

/** JSON in a text; the text itself where it is none, or is nested deeper than MAX_DEPTH. Its cost grows with its length. */
export const readJson = (text: string): unknown => {
  try {
    if (text === '') return []
    return isTooDeep(text) ? text : JSON.parse(text)
  } catch {
    return text
  }
}

/** Looks at each character once. Not by an expression: one that fails on an open quotation starts again at its next mark. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const mark = json[at]
    if (quoted && mark === '\\') at++
    else if (mark === '"') quoted = !quoted
    else if (quoted) continue
    else if (mark === '[' || mark === '{') depth++
    else if (mark === ']' || mark === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/**
 * The documents' form: the input as JSON in its field `body`, what is sent beside it (a file's `mediaName`) as fields; or
 * the fields themselves.
 */
export const jsonForm = <S extends Shape>(shape: S) =>
  z.preprocess(given => {
    // a text where a form is expected is refused as it is: spread, each of its letters would become a field
    if (typeof given !== 'object' || given === null) return given
    const { body, ...beside } = given as { body?: unknown }
    if (typeof body !== 'string') return given
    const parsed = readJson(body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? { ...beside, ...parsed }
      : body
  }, shape)

/** Whatever object a caller sends to have it kept; of at most so many letters as JSON. */
export const anyObject = (letters: number) =>
  z
    .record(z.string().max(letters), z.unknown())
    .refine(given => JSON.stringify(given).length <= letters, `Too Long! ${letters}`)

/** A value beside files, where it comes as JSON. */
export const fromJson = <T>(shape: z.ZodType<T>) => fromText(shape, readJson)

/** The largest id PostgreSQL's integer holds: anything above is a wrong number, not a missing row. */
const MAX_ID = 2_147_483_647
const wholeId = z.int().positive().max(MAX_ID)

/** Values that arrive as text (path, query, form fields) but mean a number, a list or a flag. */
/** A country by its ISO 3166 code. */
export const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'A country such as BR')

export const id = fromText(wholeId, text => (/^\d+$/.test(text) ? Number(text) : text))
export const idList = fromText(z.array(wholeId).max(500), readJson)
/** An id, or none: empty in a form. */
export const idOrNone = fromText(wholeId.nullable(), text =>
  text === '' ? null : /^\d+$/.test(text) ? Number(text) : text,
)
/** A number, or none: empty in a form. */
export const countOrNone = (most: number) =>
  fromText(z.int().min(0).max(most).nullable(), text => (text === '' ? null : Number(text)))
/** Ids of queues; 0 means without a queue. */
export const queueChoice = fromText(z.array(wholeId.or(z.literal(0))).max(500), readJson)
export const pageNumber = fromText(z.int().min(1).max(100_000), text => (text === '' ? 1 : Number(text)))
export const digit = fromText(z.int().min(0).max(9), text => (/^\d$/.test(text) ? Number(text) : text))

/** The documents mix 0/1 and booleans (OP-64): both are read, also as text; the documented type is answered. */
export const flag = z.preprocess((value: boolean | 0 | 1) => readFlag(value), z.boolean())

const readFlag = (value: unknown) =>
  value === 'true' || value === '1' || value === 1
    ? true
    : value === 'false' || value === '0' || value === 0 || value === ''
      ? false
      : value

/** A deletion of what bots may use: they are named first, unless the caller knows. */
export const EvenIfUsed = z.object({ evenIfUsed: flag.optional() })

/** Parameters of a paged list; default: the first page, unfiltered. */
export const pageQuery = z.object({
  searchParam: z.string().max(100).optional(),
  pageNumber: pageNumber.optional(),
})
export type PageQuery = z.output<typeof pageQuery>

/** One page of a list, under the name that the documents give its rows. */
export const page = <Name extends string, Row extends Shape>(name: Name, row: Row) =>
  z.object({ [name]: z.array(row), hasMore: z.boolean() } as Record<Name, z.ZodArray<Row>> & {
    hasMore: z.ZodBoolean
  })

/** The live channel of a list, `name-{companyId}`: a row was added or changed, or one is gone. */
export const listChannel = <Name extends string, Row extends Shape>(name: Name, row: Row) =>
  channel(
    `${name}-{companyId}`,
    z.discriminatedUnion('action', [
      z.object({ action: z.enum(['create', 'update']), ...({ [name]: row } as Record<Name, Row>) }),
      z.object({
        action: z.literal('delete'),
        ...({ [`${name}Id`]: z.int() } as Record<`${Name}Id`, z.ZodInt>),
      }),
    ]),
  )

export const bit = z.preprocess(
  (value: 0 | 1 | boolean) => readBit(value),
  z.union([z.literal(0), z.literal(1)]),
)

const readBit = (value: unknown) =>
  value === true || value === 'true' || value === '1'
    ? 1
    : value === false || value === 'false' || value === '0'
      ? 0
      : value

/** What the documents keep as JSON: a value, its text, or nothing. */
export const jsonOrNull = <S extends Shape>(shape: S) =>
  z.preprocess(
    given => (given === '' ? null : typeof given === 'string' ? readJson(given) : given),
    shape.nullable(),
  )

/** An address of the web; empty for none. */
export const urlOrNone = z.preprocess(
  given => given ?? '',
  z.union([
    z.literal(''),
    z
      .string()
      .trim()
      .max(2_000, 'Too Long!')
      .pipe(z.url({ protocol: /^https?$/, error: 'Deve ser uma URL válida' })),
  ]),
)

/** A moment in UTC, ISO 8601 with milliseconds. */
export const instant = z.iso.datetime()

/** Years have four digits, also in UTC, and PostgreSQL has no year 0; offsets from UTC are 14 hours at most. */
function isOnEarth(text: string) {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999 && !text.startsWith('0000') && !/[+-](1[5-9]|2\d):\d\d$/.test(text)
}
const NOWHERE = 'No such moment'

/** A day of a filter. */
export const day = z.iso.date().refine(isOnEarth, NOWHERE)

/** A moment or a day of a filter. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true }), z.iso.date()])
  .refine(isOnEarth, NOWHERE)

/** What people read in, by the names that the documents store. */
export const localeTag = z.enum(['ptBR', 'en', 'es'])

/** Texts of the documents for the commonest refusals of a form. */
export const text = (min: number, max: number) =>
  z.string({ error: 'Required' }).trim().min(1, 'Required').min(min, 'Too Short!').max(max, 'Too Long!')
export const email = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .max(200, 'Too Long!')
  .pipe(z.email('Invalid email'))
