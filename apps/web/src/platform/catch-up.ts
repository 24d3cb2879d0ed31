/**
 * News that arrives while a fetch is under way may be missing from its answer, which was read before. Keeps the
 * news of the last seconds, so that they can be applied again to what was fetched meanwhile.
 */
export function recentPushes<Push>(keptMs = 30_000) {
  let kept: { at: number; push: Push }[] = []
  return {
    keep(push: Push) {
      const now = performance.now()
      kept = kept.filter(({ at }) => now - at < keptMs)
      kept.push({ at: now, push })
    },
    /** What arrived since a moment of `performance.now()`, oldest first. */
    since: (moment: number): Push[] => kept.filter(({ at }) => at >= moment).map(({ push }) => push),
  }
}
