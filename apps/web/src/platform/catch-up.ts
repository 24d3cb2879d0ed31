/**
 * News that arrives while a fetch is under way may be missing from its answer, which was read before. Keeps the
 * news of the last seconds, so that they can be applied again to what was fetched meanwhile.
 */
export function recentNews<News>(keptMs = 30_000) {
  let kept: { at: number; news: News }[] = []
  return {
    keep(news: News) {
      const now = performance.now()
      kept = kept.filter(({ at }) => now - at < keptMs)
      kept.push({ at: now, news })
    },
    /** What arrived since a moment of `performance.now()`, oldest first. */
    since: (moment: number): News[] => kept.filter(({ at }) => at >= moment).map(({ news }) => news),
  }
}
