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
  /** Heard before the commit, in the same transaction. */
  within?: true
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

/**
 * What a feature does inside the transaction of another that asks those above it with `tx.involve`: both commit,
 * or neither. For what hangs on a row that is about to go; anything that can wait belongs in `when`.
 */
export const within = <News>(
  event: Event<News>,
  hear: (tx: Tx, news: News) => Promise<void> | void,
): Listener => ({ event, hear, within: true })

/** Which news wakes which part of the house, in whatever process it runs. */
export interface Nudge {
  event: Event<unknown>
  topic(news: never): string
  /** What goes along, when the topic does not say it all. */
  payload?(news: never): unknown
}

export const nudge = <News>(
  event: Event<News>,
  topic: (news: News) => string,
  payload?: (news: News) => unknown,
): Nudge => ({ event, topic, ...(payload && { payload }) })
