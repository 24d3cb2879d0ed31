import type { Tx } from './scope.ts'

/** Something that happened, announced after its commit. */
export interface Event<News> {
  name: string
  /** Only carries the type. */
  news?: News
}

export const event = <News>(name: string): Event<News> => ({ name })

export interface Announced<News = unknown> {
  event: Event<News>
  news: News
}

export interface Listener {
  event: Event<unknown>
  hear(tx: Tx, news: never): Promise<void> | void
}

/**
 * What a feature does when another announces: a transaction of its own, after the commit of the news.
 * It may be lost with the process; what may not be lost is a job row in the first commit.
 */
export const when = <News>(
  event: Event<News>,
  hear: (tx: Tx, news: News) => Promise<void> | void,
): Listener => ({
  event,
  hear,
})

/** Which news wakes which part of the house, in whatever process it runs. */
export interface Nudge {
  event: Event<unknown>
  topic(news: never): string
}

export const nudge = <News>(event: Event<News>, topic: (news: News) => string): Nudge => ({ event, topic })
