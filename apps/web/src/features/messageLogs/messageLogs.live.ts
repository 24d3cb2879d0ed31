import { messageLogChannel, type RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { listen } from '../../platform/live.ts'
import { patch } from '../../platform/query.ts'
import type { LogPages } from './messageLogs.api.ts'

export const LOGS_KEY = ['messageLogs']

/** Keeps the lists on the screen up to date. New events are prepended where nothing is filtered. */
export function followLogs(): () => void {
  return listen(messageLogChannel, push => {
    patch<LogPages>(LOGS_KEY, (pages, key) => {
      const [, words, unknown, warning] = key
      const acceptsNew = push.action === 'create' && !words && !unknown && !warning
      return {
        ...pages,
        pages: pages.pages.map((page, at) => ({
          ...page,
          messagesBruteLogs:
            push.action === 'delete'
              ? without(page.messagesBruteLogs, push.messagesBruteLogId)
              : withOne(page.messagesBruteLogs, push.messagesBruteLog, acceptsNew && at === 0),
        })),
      }
    })
  })
}

const without = (logs: RawMessageLog[], id: number | null) =>
  id === null ? [] : logs.filter(one => one.id !== id)

function withOne(logs: RawMessageLog[], log: RawMessageLog, isNew: boolean) {
  if (logs.some(one => one.id === log.id)) return logs.map(one => (one.id === log.id ? log : one))
  return isNew ? [log, ...logs] : logs
}
