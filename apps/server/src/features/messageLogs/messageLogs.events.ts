import { event } from '../../platform/events.ts'
import type { InboxRow } from '../messages/messages.queries.ts'

export type LogRow = InboxRow

/** News was written down, or handled again. */
export const newsLogged = event<{ row: LogRow; again: boolean }>('news.logged')

export const logEmptied = event<object>('news.logEmptied')
