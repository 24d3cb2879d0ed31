import { useEffect, useRef } from 'react'
import { moveLane } from './kanban.api.ts'
import { useKanbanText } from './kanban.text.ts'
import type { BoardLane } from './use-board.ts'

export type LaneStep = -1 | 1

/** Moves a lane into the place of another, or by one step; `announce` gets what happened. */
export function useLaneOrder(lanes: BoardLane[] | undefined, announce: (text: string) => void) {
  const t = useKanbanText()
  const stepped = useRef<{ tagId: number; step: LaneStep } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the lanes are drawn in their new places
  useEffect(() => {
    if (stepped.current) focusStep(stepped.current)
    stepped.current = null
  }, [lanes])
  return (tagId: number, to: number | null, step?: LaneStep) => {
    const tags = lanes?.flatMap(({ tag }) => tag ?? []) ?? []
    const from = tags.findIndex(({ id }) => id === tagId)
    // dropped on the first lane, which stays where it is, it becomes the one beside it
    const over = tags.findIndex(({ id }) => id === to)
    const place = step ? from + step : Math.max(0, over)
    if (from < 0 || place === from || place < 0 || place >= tags.length) return
    announce(t('laneWent', { lane: tags[from]!.name, at: place + 1, count: tags.length }))
    stepped.current = step ? { tagId, step } : null
    void moveLane(tagId, place)
  }
}

/** 1: there is a lane on its left, 2: on its right, 3: both. The first lane of the board stays where it is. */
export const stepsOf = (lanes: BoardLane[], lane: BoardLane) =>
  lane.tag ? Number(lanes.indexOf(lane) > 1) + 2 * Number(lane !== lanes.at(-1)) : 0

/** The lane that was moved keeps the focus, which a browser takes from what moves in the document. */
function focusStep({ tagId, step }: { tagId: number; step: LaneStep }) {
  const lane = document.querySelector<HTMLElement>(`[data-lane="${tagId}"]`)
  const button = (which: string) => lane?.querySelector<HTMLElement>(`[data-step${which}]:not(:disabled)`)
  const target = button(`="${step}"`) ?? button('') ?? lane
  target?.focus()
}
