interface Rows {
  ids: number[]
  /** How many new ones are above those that are held. */
  fresh: number
}

/** Scroll position at which the first visible row keeps its position. */
export function steadied(top: number, before: Rows, now: Rows, height: number): number {
  const released = before.fresh > 0 && now.fresh === 0
  const hidden = released ? before.fresh * height : 0
  if (top - hidden < height / 2 && now.fresh === 0) return 0
  const first = Math.min(Math.floor(top / height), before.ids.length - 1)
  const to = now.ids.indexOf(before.ids[first] ?? 0)
  if (to >= 0) return top + (to - first) * height
  return top + (now.fresh - before.fresh) * height
}
