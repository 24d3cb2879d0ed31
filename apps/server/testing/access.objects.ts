import { bulk } from '@balcao/contract/bulk.ts'
import { kanban } from '@balcao/contract/kanban.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Line } from './access.ts'
import { nowhere, type Rows } from './rows.ts'

/** What of `Rows` belongs to a conversation: who may not read its ticket reads and changes none of it. */
const inConversation = ['ticket', 'failedMessage', 'sentMessage', 'said', 'lostFile'] as const

/** Calls that name something of a conversation and answer whoever may not read it, each with the reason. */
const answersAnyway = new Map<Route, string>([
  [kanban.move, 'moves those of the named tickets that the caller sees'],
  [bulk.change, 'changes those of the named tickets that the caller sees, and names the others'],
  [tickets.resolveMany, 'closes those of the named tickets that are the company’s; for admins'],
])

/** The lines of the table whose call names something of a conversation: found by what each asks `Rows` for. */
export async function linesOfConversations(table: Line[]): Promise<Line[]> {
  const found: Line[] = []
  for (const line of table) {
    const [route, , given] = line
    const asked = new Set<string>()
    const watched = new Proxy({ ...nowhere, companyId: 1, attendantsQueue: 1 } as Rows, {
      get(rows, name: keyof Rows) {
        asked.add(name)
        return rows[name]
      },
    })
    await given?.(watched)
    if (inConversation.some(name => asked.has(name)) && !answersAnyway.has(route)) found.push(line)
  }
  return found
}
