import { ofPerson } from './person.ts'

/**
 * A push that arrives during a fetch may be missing from its answer, which was read before. Keeps the pushes
 * of the last minutes, so that they can be applied again to what was fetched meanwhile.
 */
export function recentPushes<Push>(keptMs = 120_000) {
  let kept: { at: number; push: Push }[] = []
  ofPerson(() => {
    kept = []
  })
  return {
    keep(push: Push) {
      const now = performance.now()
      kept = kept.filter(({ at }) => now - at < keptMs)
      kept.push({ at: now, push })
    },
    /** Pushes received since a moment of `performance.now()`, oldest first. */
    since: (moment: number): Push[] => kept.filter(({ at }) => at >= moment).map(({ push }) => push),
  }
}
