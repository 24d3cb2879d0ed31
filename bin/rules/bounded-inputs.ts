import type { Route } from '@balcao/contract/kit.ts'
import type { Rule } from './codebase.ts'
import { readContract } from './contract.ts'

/**
 * A call may hold a megabyte. A field without a bound takes all of it into a column, a message or a search; each text,
 * list and record of an input states how long it may be.
 */
export const boundedInputs: Rule = {
  name: 'every text and list of an input has a bound',
  async find(house) {
    const { routes } = await readContract(house)
    return routes.flatMap(({ name, file, route }) =>
      (['params', 'query', 'body'] as const).flatMap(part =>
        unboundedIn(route[part], part)
          .filter(({ path }) => !OPEN[`${name} ${path}`])
          .map(({ path, what }) => `${file}: ${name} ${path}: ${what} without a bound: add .max()`),
      ),
    )
  },
}

/** What has no bound of its own, and why it needs none. */
const OPEN: Record<string, string> = {
  ...about('nothing reads it', [
    'campaigns.list query.user',
    'campaignSetups.list query.user',
    'schedules.list query.user',
    'schedules.removeMany body.user',
  ]),
  ...about('the first 30 columns are kept, and of each 500 letters', [
    'campaigns.createOwn body.sendList[].*',
    'campaigns.createWhole body.sendList[].*',
    'campaigns.addRecipients body.sendList[].*',
    'campaigns.countRecipients body.sendList[].*',
  ]),
}

function about(why: string, paths: string[]) {
  return Object.fromEntries(paths.map(path => [path, why]))
}

type Shape = Route['body']

interface Unbounded {
  path: string
  what: string
}

/** Formats whose expression holds no repetition without an end. */
const SHORT_FORMATS = new Set(['uuid', 'guid', 'datetime', 'date', 'time'])

// biome-ignore lint/suspicious/noExplicitAny: the definition of a schema; each use checks its `type`
type Definition = any

/** The places of a shape that take a text, a list or a record of any size. `within`: the shapes above, and a bound of theirs. */
export function unboundedIn(
  shape: Shape,
  path: string,
  within = { above: [] as Shape[], isBounded: false },
): Unbounded[] {
  if (within.above.includes(shape)) return []
  const definition: Definition = shape._zod.def
  const above = [...within.above, shape]
  const into = (inner: Shape, at: string) => unboundedIn(inner, at, { above, isBounded: false })
  const same = (inner: Shape, isBounded = within.isBounded) => unboundedIn(inner, path, { above, isBounded })
  const here = (what: string) => (within.isBounded || boundOf(shape) !== undefined ? [] : [{ path, what }])
  switch (definition.type) {
    case 'string':
      return here('a text')
    case 'array':
      return [...here('a list'), ...into(definition.element, `${path}[]`)]
    case 'record':
      return isChecked(shape) ? [] : here('a record')
    case 'object':
      return Object.entries<Shape>({
        ...definition.shape,
        '*': definition.catchall ?? definition.shape.none,
      })
        .filter(([, inner]) => inner)
        .flatMap(([name, inner]) => into(inner, `${path}.${name}`))
    case 'union':
      return definition.options.flatMap((option: Shape) => same(option))
    case 'tuple':
      return definition.items.flatMap((item: Shape) => into(item, `${path}[]`))
    case 'pipe': {
      // what one of its parts bounds is bounded in the others
      const parts = partsOf(shape)
      const isBounded = within.isBounded || parts.some(one => isText(one) && boundOf(one) !== undefined)
      return parts.flatMap(one => same(one, isBounded))
    }
    case 'any':
    case 'unknown':
      return here('anything')
    default:
      return definition.innerType ? same(definition.innerType) : []
  }
}

const isText = (shape: Shape) => shape._zod.def.type === 'string'

/** The shapes that a value passes one after the other. */
function partsOf(shape: Shape): Shape[] {
  const definition: Definition = shape._zod.def
  return definition.type === 'pipe' ? [definition.in, definition.out].flatMap(partsOf) : [shape]
}

/** How long a text or a list may be; undefined where nothing says it. */
function boundOf(shape: Shape): number | undefined {
  const { checks = [], ...own }: Definition = shape._zod.def
  const all = [own, ...checks.map((one: Shape) => one._zod.def)]
  return all
    .map(({ check, maximum, length, format, pattern }: Definition): number | undefined => {
      if (check === 'max_length') return maximum
      if (check === 'length_equals') return length
      if (check !== 'string_format') return undefined
      return SHORT_FORMATS.has(format) || isWhole(pattern) ? 0 : undefined
    })
    .find(bound => bound !== undefined)
}

/** Whether an expression takes whole texts of a limited length only. */
const isWhole = (pattern: RegExp | undefined) =>
  pattern !== undefined &&
  /^\^.*\$$/.test(pattern.source) &&
  !/[*+]|,\}/.test(pattern.source.replace(/\\./g, ''))

/** A record is bounded by what it is checked for as a whole. */
const isChecked = (shape: Shape) => ((shape._zod.def as Definition).checks ?? []).length > 0
