import { event } from '../../platform/events.ts'
import type { InboundEventRow } from '../messages/messages.queries.ts'

export type LogRow = InboundEventRow

export const inboundLogged = event<{ row: LogRow; again: boolean }>('news.logged')

export const logEmptied = event<object>('news.logEmptied')
