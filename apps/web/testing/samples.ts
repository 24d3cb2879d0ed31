import type { z } from 'zod'

/** What may be given of a sample: any part of it, at any depth; lists are given whole. */
export type Partly<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Partly<T[K]> }
    : T

/**
 * A value of this shape: the given parts, and for the rest the least that the shape allows. Throws when the
 * shape does not allow the given parts, so that no test shows what a server could not have sent.
 */
export function sample<S extends z.ZodType>(shape: S, given?: Partly<z.output<S>>): z.output<S> {
  return shape.parse(filled(shape, given))
}

/** One per given part. */
export const samples = <S extends z.ZodType>(shape: S, all: Partly<z.output<S>>[]): z.output<S>[] =>
  all.map(given => sample(shape, given))

/** The part of zod's definition of a shape that a sample needs. */
interface Shape {
  safeParse(value: unknown): { success: boolean }
  def: object
}

interface Def {
  type: string
  innerType?: Shape
  in?: Shape
  out?: Shape
  shape?: Record<string, Shape>
  options?: Shape[]
  values?: unknown[]
  entries?: Record<string, unknown>
  items?: Shape[]
  left?: Shape
  right?: Shape
  getter?: () => Shape
}

const defOf = ({ def }: Shape) => def as Def

const MOMENT = '2026-11-20T12:00:00.000Z'
const words = ['', MOMENT, '2026-11-20', 'Palavra', 'quem@loja.test', 'https://loja.test', '#1273de']
const ids = ['00000000-0000-4000-8000-000000000000']

function filled(shape: Shape, given: unknown, key = ''): unknown {
  const def = defOf(shape)
  if (given !== undefined && (given === null || typeof given !== 'object' || Array.isArray(given)))
    return given
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape!).flatMap(([key, part]) => {
          const own = (given as Record<string, unknown> | undefined)?.[key]
          const value = filled(part, own, key)
          return value === undefined ? [] : [[key, value]]
        }),
      )
    case 'optional':
    case 'nullable':
      if (given === undefined) return def.type === 'nullable' ? null : undefined
      return filled(def.innerType!, given, key)
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return filled(def.innerType!, given, key)
    case 'pipe':
      return filled(defOf(def.in!).type === 'transform' ? def.out! : def.in!, given)
    case 'lazy':
      return filled(def.getter!(), given)
    case 'union':
      return filled(fitting(def.options!, given), given)
    case 'intersection':
      return { ...(filled(def.left!, given) as object), ...(filled(def.right!, given) as object) }
    default:
      return given ?? least(shape, key)
  }
}

/** Of several shapes the first that allows the given part. */
const fitting = (options: Shape[], given: unknown) =>
  options.find(option => option.safeParse(filled(option, given)).success) ?? options[0]!

function least(shape: Shape, key: string): unknown {
  const def = defOf(shape)
  switch (def.type) {
    case 'literal':
      return def.values![0]
    case 'enum':
      return Object.values(def.entries!)[0]
    case 'array':
      return []
    case 'record':
      return {}
    case 'tuple':
      return def.items!.map(item => filled(item, undefined))
    case 'boolean':
      return false
    case 'number':
      return [0, 1].find(number => shape.safeParse(number).success)
    case 'string':
      return [...(/colou?r$/i.test(key) ? ['#1273de'] : []), ...words, ...ids].find(
        word => shape.safeParse(word).success,
      )
    default:
      return null
  }
}
