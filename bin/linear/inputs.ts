import type { Route } from '@balcao/contract/kit.ts'
import { check } from '../../apps/server/src/platform/http/input.ts'
import { here, readCodebase } from '../rules/codebase.ts'
import { readContract } from '../rules/contract.ts'
import type { Reader } from './readers.ts'

type Shape = Route['body']

/** Every place of every call that takes a text, each shape once: in a field, a list, a record, and where JSON may come as text. */
export async function inputReaders(): Promise<Reader[]> {
  const { routes } = await readContract(readCodebase(here))
  const known = new Set<Shape>()
  return routes.flatMap(({ name, route }) =>
    fieldsOf(route).flatMap(([field, shape]) => {
      if (known.has(shape)) return []
      known.add(shape)
      return placesIn(shape).map(({ path, letters, around }) => ({
        name: `${name} ${field}${path}`,
        letters,
        read: (text: string) => check(shape, around(text)),
      }))
    }),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the definition of a schema; each use checks its `type`
type Definition = any
const definitionOf = (shape: Shape): Definition => shape._zod.def

function fieldsOf({ params, query, body }: Route): [string, Shape][] {
  return [params, query, body].flatMap((part): [string, Shape][] => {
    const definition = definitionOf(part)
    return definition.type === 'object' ? Object.entries(definition.shape) : [['body', part]]
  })
}

interface Place {
  path: string
  /** The bound of the field; more where it has none that is seen here. */
  letters: number
  /** What is sent for the text to be at this place. */
  around(text: string): unknown
}

/** What reaches a check although it is too long: all checks of a shape are made. */
const AT_LEAST = 16_384

function placesIn(shape: Shape, above: Shape[] = []): Place[] {
  if (above.includes(shape)) return []
  const definition = definitionOf(shape)
  const inner = (one: Shape) => placesIn(one, [...above, shape])
  const around = (places: Place[], path: string, wrap: (value: unknown) => unknown) =>
    places.map(place => ({
      ...place,
      path: path + place.path,
      around: (text: string) => wrap(place.around(text)),
    }))
  switch (definition.type) {
    case 'string':
      return [{ path: '', letters: Math.max(AT_LEAST, mostOf(definition)), around: text => text }]
    case 'array':
      return around(inner(definition.element), '[]', value => [value])
    case 'record':
      return [
        ...around(inner(definition.keyType), '{}', name => ({ [String(name)]: 'a' })),
        ...around(inner(definition.valueType), '{}', value => ({ a: value })),
      ]
    case 'object':
      return Object.entries<Shape>(definition.shape).flatMap(([name, one]) =>
        around(inner(one), `.${name}`, value => ({ [name]: value })),
      )
    case 'union':
      return definition.options.flatMap(inner)
    case 'pipe':
      return [...inner(definition.in), ...inner(definition.out)]
    case 'transform':
      // reads whatever comes: a text that may be JSON, or a form that holds one
      return [
        { path: '', letters: AT_LEAST, around: text => text },
        { path: '.body', letters: AT_LEAST, around: text => ({ body: text, campaign: text }) },
      ]
    default:
      return definition.innerType ? inner(definition.innerType) : []
  }
}

const mostOf = ({ checks = [] }: Definition): number =>
  Math.max(0, ...checks.map((one: Shape) => definitionOf(one).maximum ?? 0))
