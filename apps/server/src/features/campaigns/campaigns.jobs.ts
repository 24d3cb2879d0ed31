import { Refusal } from '../../platform/errors.ts'
import { chore, job } from '../../platform/work/jobs.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { transfer } from '../tickets/moves/moves.actions.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { campaignRowOrNull } from './campaigns.queries.ts'
import { forgetDepartures } from './run/run.queries.ts'

/** Gives a ticket without an answer the status of the setup (CAMP-053); a ticket that was opened meanwhile stays. */
export const placeTicketJob = job<{ ticketId: number; campaignId: number }>(
  'campaigns.place',
  async (scope, { ticketId, campaignId }) => {
    const to = await scope.read(async tx => {
      const ticket = await loadTicket(tx, ticketId)
      const campaign = ticket?.status === 'closed' ? await campaignRowOrNull(tx, campaignId) : null
      const setup = await setupOrNull(tx, campaign?.setupId ?? null)
      if (!ticket || !campaign || !setup || setup.ticketSetStatus === 'closed') return null
      const userId = setup.ticketSetStatus === 'open' ? campaign.userId : null
      return { queueId: setup.queueId ?? ticket.queueId, userId }
    })
    if (to) await transfer(scope, ticketId, to).catch(ignoreOther)
  },
)

/** The contact has another open ticket by now, or the ticket was deleted. */
function ignoreOther(error: unknown) {
  const code = error instanceof Refusal ? error.code : ''
  if (code !== 'ERR_OTHER_OPEN_TICKET' && code !== 'ERR_NO_TICKET_FOUND') throw error
}

export const jobs = [
  placeTicketJob,
  chore('campaigns.forgetDepartures', '50 3 * * *', async scopes => {
    await scopes.platform().transaction(forgetDepartures)
  }),
]
