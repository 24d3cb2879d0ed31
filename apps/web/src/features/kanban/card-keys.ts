import type { KeyboardEvent } from 'react'

const STEPS: Record<string, [lanes: number, cards: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/**
 * On a card: arrows move to its neighbours, Space moves it. Inputs and buttons inside keep their own keys.
 */
export function walkCards(event: KeyboardEvent<HTMLElement>, move: (ticketId: number) => void): void {
  const from = event.target as HTMLElement
  const place = from.closest<HTMLElement>('[data-at]')
  if (!place || from.matches('input') || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === ' ' && from.matches(ROW)) {
    event.preventDefault()
    move(Number(from.dataset.ticket))
  }
  const step = STEPS[event.key]
  if (!step) return
  event.preventDefault()
  const lane = place.closest<HTMLElement>('[data-lane]')!
  const lanes = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-lane]')]
  const at = Number(place.dataset.at)
  const target = step[0] === 0 ? cardAt(lane, at + step[1]) : beside(lanes, lanes.indexOf(lane), step[0], at)
  if (target) focusCard(target)
}

/** The row of a ticket on its card: a link for users who may read it. */
const ROW = '[data-ticket]'

export const focusCard = (place: HTMLElement, options?: FocusOptions) =>
  place.querySelector<HTMLElement>(ROW)?.focus(options)

export const cardAt = (lane: HTMLElement, at: number) => lane.querySelector<HTMLElement>(`[data-at="${at}"]`)

/** The card at the same height in the next lane that has any. */
function beside(lanes: HTMLElement[], from: number, step: number, at: number): HTMLElement | null {
  for (let next = from + step; lanes[next]; next += step) {
    const card =
      cardAt(lanes[next]!, at) ?? [...lanes[next]!.querySelectorAll<HTMLElement>('[data-at]')].at(-1)
    if (card) return card
  }
  return null
}
