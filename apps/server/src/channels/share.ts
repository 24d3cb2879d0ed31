/** How many of the `free` connections a process with `own` takes, so that all have as many as each other in the end. */
export function shareOf(free: number, own: number, others: number[]): number {
  const counts = [own, ...others].sort((one, other) => one - other)
  let filled = free
  // those with the fewest are filled up to one level, which must not be above that of the next
  for (const [at, count] of counts.entries()) {
    filled += count
    const level = Math.ceil(filled / (at + 1))
    const next = counts[at + 1]
    if (next === undefined || level <= next) return Math.max(0, level - own)
  }
  return 0
}

/** Whether a process with `own` connections gives one to that with the `least`: at rest they differ by one, or by a tenth. */
export const isAbove = (own: number, least: number): boolean => own - least > Math.max(1, own / 10)
