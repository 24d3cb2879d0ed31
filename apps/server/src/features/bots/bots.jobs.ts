import { due } from '../../platform/due.ts'
import { webhookDue } from '../../platform/webhooks.due.ts'
import { WAITS_AT_ONCE, waitsOver } from './bots.sessions.ts'
import { endWait } from './bots.turns.ts'
import { outcalls } from './bots.webhooks.ts'

export const WEBHOOKS = 'bots.webhooks'

export const botDues = [
  due('bots.waits', async ({ scopes }) => {
    const over = await scopes.platform().transaction(waitsOver)
    for (const { companyId, ticketId } of over) await endWait(scopes.inCompany(companyId), ticketId)
    return over.length === WAITS_AT_ONCE
  }),
  webhookDue(WEBHOOKS, outcalls),
]
