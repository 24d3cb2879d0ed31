import { choicesAt, type Script, type ScriptCommand } from '@balcao/contract/bots.script.rules.ts'

/** The measure of a card, and the room between cards (px). */
export const CARD = { width: 200, height: 104, across: 18, down: 42 }

export interface ChartNode {
  /** Null is the beginning. */
  command: ScriptCommand | null
  above: ChartNode | null
  level: number
  x: number
  y: number
}

/** Positions of the cards: leaves side by side, a parent above the middle of its children. */
export function chartOf(script: Script): {
  nodes: ChartNode[]
  width: number
  height: number
  levels: number
} {
  const nodes: ChartNode[] = []
  let right = 0
  let levels = 0
  function place(command: ScriptCommand | null, above: ChartNode | null): ChartNode {
    const level = above ? above.level + 1 : 0
    const node: ChartNode = { command, above, level, x: 0, y: level * (CARD.height + CARD.down) }
    levels = Math.max(levels, level)
    nodes.push(node)
    const below = choicesAt(script, command).map(one => place(one, node))
    if (below.length > 0) node.x = (below[0]!.x + below.at(-1)!.x) / 2
    else {
      node.x = right
      right += CARD.width + CARD.across
    }
    return node
  }
  place(null, null)
  return {
    nodes,
    width: Math.max(right - CARD.across, CARD.width),
    height: (levels + 1) * (CARD.height + CARD.down) - CARD.down,
    levels,
  }
}

/** The edge from a card to its parent. */
export function lineTo({ x, y, above }: ChartNode): string {
  if (!above) return ''
  const [from, to] = [above.x + CARD.width / 2, x + CARD.width / 2]
  const half = y - CARD.down / 2
  const top = above.y + CARD.height
  if (from === to) return `M${from} ${top}V${y}`
  const bend = Math.min(8, Math.abs(to - from) / 2) * Math.sign(to - from)
  return `M${from} ${top}V${half - 8}q0 8 ${bend} 8H${to - bend}q${bend} 0 ${bend} 8V${y}`
}
