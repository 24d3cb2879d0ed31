/** The grid lines of an axis of counts, from 0 to at least the maximum: round numbers, no more than five. */
export function axisFor(most: number): number[] {
  if (most <= 0) return [0, 1]
  const least = most / 4
  const ten = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map(times => times * ten).find(one => one >= least)!)
  const lines = Math.ceil(most / step)
  return Array.from({ length: lines + 1 }, (_, at) => at * step)
}
