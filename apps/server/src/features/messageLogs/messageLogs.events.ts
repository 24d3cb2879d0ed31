import { event } from '../../platform/events.ts'
import type { InboundEventRow } from '../messages/messages.queries.ts'

export type LogRow = InboundEventRow

/** News was written down, or handled again. */
export const inboundLogged = event<{ row: LogRow; again: boolean }>('news.logged')

export const logEmptied = event<object>('news.logEmptied')
