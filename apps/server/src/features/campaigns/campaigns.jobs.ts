import { Refusal } from '../../platform/errors.ts'
import { job } from '../../platform/jobs.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { transfer } from '../tickets/tickets.actions.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { lookOrNull } from './campaigns.queries.ts'

/** A ticket that only the campaign spoke on stands as its setup says; one that lives by now stays as it is. */
export const placeTicketJob = job<{ ticketId: number; campaignId: number }>(
  'campaigns.place',
  async (scope, { ticketId, campaignId }) => {
    const to = await scope.read(async tx => {
      const ticket = await loadTicket(tx, ticketId)
      const campaign = ticket?.status === 'closed' ? await lookOrNull(tx, campaignId) : null
      const setup = await setupOrNull(tx, campaign?.setupId ?? null)
      if (!ticket || !campaign || !setup || setup.ticketSetStatus === 'closed') return null
      const userId = setup.ticketSetStatus === 'open' ? campaign.userId : null
      return { queueId: setup.queueId ?? ticket.queueId, userId }
    })
    if (to) await transfer(scope, ticketId, to).catch(otherLives)
  },
)

/** Somebody wrote meanwhile, or the ticket is gone. */
function otherLives(error: unknown) {
  const said = error instanceof Refusal ? error.code : ''
  if (said !== 'ERR_OTHER_OPEN_TICKET' && said !== 'ERR_NO_TICKET_FOUND') throw error
}

export const jobs = [placeTicketJob]
