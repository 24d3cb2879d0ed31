import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { IconRobot } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { directionOf } from './bot-moves.ts'
import type { Bot } from './bot-script.ts'
import { CARD, type ChartNode, lineTo } from './bots.chart.ts'
import { useCommandText } from './bots.commands.text.ts'
import classes from './chart.module.css'
import { ChartCard } from './chart-card.tsx'
import { useBranchDrag } from './use-branch-drag.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  bot: Bot
  chart: { nodes: ChartNode[]; width: number; height: number }
  /** Null for read-only users. */
  moves: Moves | null
  onEdit(command: BotCommand): void
}

/**
 * The cards and their edges. One card is in the tab order, the others are reached by arrows (roving
 * tabindex).
 */
export function ChartTree({ bot, chart, moves, onEdit }: Props) {
  const t = useCommandText()
  const tree = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<number | null>(null)
  const follows = useRef(false)
  const { dragged, over, grab } = useBranchDrag(bot.commands, moves)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved card has another position
  useEffect(() => {
    if (follows.current) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    follows.current = false
  }, [current, chart])
  const known = chart.nodes.some(({ command }) => command?.id === current) ? current : null

  function onKey(event: KeyboardEvent, node: ChartNode) {
    const direction = event.altKey ? directionOf(event.key, 'beside') : undefined
    if (direction && node.command && moves) {
      follows.current = true
      moves.step(node.command.commandBot, direction)
    } else {
      const next = event.altKey ? undefined : neighbourOf(chart.nodes, node, event.key)
      if (!next) return
      follows.current = true
      setCurrent(next.command?.id ?? null)
    }
    event.preventDefault()
  }

  return (
    <>
      <svg className={classes.lines} width={chart.width} height={chart.height} aria-hidden>
        {chart.nodes.map(node => node.above && <path key={node.command!.id} d={lineTo(node)} />)}
      </svg>
      <div ref={tree} role="tree" aria-label={t('hierarchy')}>
        {chart.nodes.map(node => {
          const { command, level, x, y } = node
          const full = command && bot.commands.find(({ id }) => id === command.id)
          const id = command?.id ?? null
          return (
            <button
              key={id ?? 'root'}
              type="button"
              role="treeitem"
              aria-level={level + 1}
              aria-selected={id === known}
              tabIndex={id === known ? 0 : -1}
              className={classes.card}
              data-root={command === null || undefined}
              data-number={command?.commandBot ?? ''}
              data-dragged={(command && dragged === command.commandBot) || undefined}
              data-drop={over?.number === (command?.commandBot ?? '') ? over.side : undefined}
              style={{ left: x, top: y, width: CARD.width, height: CARD.height }}
              onFocus={() => setCurrent(id)}
              onKeyDown={event => onKey(event, node)}
              onClick={() => full && !dragged && onEdit(full)}
              {...(command && grab(command.commandBot))}
            >
              {full ? <ChartCard command={full} /> : <Root greeting={bot.around.greeting} />}
            </button>
          )
        })}
      </div>
    </>
  )
}

function Root({ greeting }: { greeting: string }) {
  const t = useCommandText()
  return (
    <>
      <span className={classes.chatbot}>
        {t('root')}
        <IconRobot size={17} stroke={1.75} aria-hidden />
      </span>
      <strong>{t('begin')}</strong>
      <span className={classes.words}>{greeting}</span>
    </>
  )
}

/**
 * The card in the direction of an arrow: up to the parent, down to the first child, sideways on the same
 * level.
 */
function neighbourOf(nodes: ChartNode[], node: ChartNode, key: string): ChartNode | null | undefined {
  if (key === 'ArrowUp') return node.above
  if (key === 'ArrowDown') return nodes.find(({ above }) => above === node)
  if (key === 'Home') return nodes[0]
  const level = nodes.filter(one => one.level === node.level)
  const at = level.indexOf(node)
  return key === 'ArrowLeft' ? level[at - 1] : key === 'ArrowRight' ? level[at + 1] : undefined
}
