import { inNumberOrder, numberAbove } from '@balcao/contract/bots.numbers.rules.ts'

/** Target of a branch: its parent command ('' is the root), and the index there from 0. */
export interface BranchPlace {
  above: string
  at: number
}

export type Direction = 'before' | 'behind' | 'in' | 'out'

/** The commands directly below another, in order. */
export const childrenOf = (numbers: string[], above: string): string[] =>
  numbers.filter(number => number !== '' && numberAbove(number) === above).toSorted(inNumberOrder)

/** Position of a command after a move in a direction; null where it cannot move. */
export function placeAfter(numbers: string[], number: string, direction: Direction): BranchPlace | null {
  const above = numberAbove(number)
  const beside = childrenOf(numbers, above)
  const at = beside.indexOf(number)
  if (direction === 'before') return at > 0 ? { above, at: at - 1 } : null
  if (direction === 'behind') return at < beside.length - 1 ? { above, at: at + 1 } : null
  if (direction === 'out')
    return above === ''
      ? null
      : { above: numberAbove(above), at: childrenOf(numbers, numberAbove(above)).indexOf(above) + 1 }
  const into = beside[at - 1]
  return into === undefined ? null : { above: into, at: childrenOf(numbers, into).length }
}

/**
 * Direction of Alt and an arrow where siblings are below each other (a list) or beside each other (a chart).
 */
export const directionOf = (key: string, brothers: 'below' | 'beside'): Direction | undefined =>
  (
    ({
      below: { ArrowUp: 'before', ArrowDown: 'behind', ArrowLeft: 'out', ArrowRight: 'in' },
      beside: { ArrowLeft: 'before', ArrowRight: 'behind', ArrowUp: 'out', ArrowDown: 'in' },
    }) as Record<typeof brothers, Record<string, Direction>>
  )[brothers][key]
