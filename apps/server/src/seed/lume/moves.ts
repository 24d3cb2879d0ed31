import type { TicketStatus } from '@balcao/contract/tickets.ts'
import type { Dice } from './dice.ts'
import type { PastMessage } from './past.ts'
import type { Sector } from './talks.ts'

interface TicketState {
  status: TicketStatus
  owner: number | null
  sector: Sector | null
}

/** The ticket_history of a ticket, oldest first; `by` is an index of the team, null for the company. */
export type Moves = {
  what: 'opened' | 'moved' | 'accepted' | 'returned' | 'transferred' | 'resolved'
  by: number | null
  at: number
  from: TicketState | null
  to: TicketState
}[]

interface Plot {
  status: TicketStatus
  owner: number | null
  messages: PastMessage[]
  closedAt: number | null
}

const SECOND = 1_000
const others: Record<Sector, Sector> = { Financeiro: 'Suporte', Vendas: 'Financeiro', Suporte: 'Vendas' }

/** How a ticket got its state; some are reassigned first. */
export function movesOf(chance: Dice, { owner, messages, closedAt }: Plot, sector: Sector): Moves {
  const moves: Moves = []
  const go = (what: Moves[number]['what'], by: number | null, at: number, to: Partial<TicketState>) => {
    const last = moves.at(-1)
    const from = last?.to ?? null
    // a quick answer leaves no time for what came before it
    moves.push({ what, by, at: Math.max(at, last?.at ?? at), from, to: { ...nowhere, ...from, ...to } })
  }
  const first = messages[0]!
  if (first.fromMe) go('opened', owner, first.at, { status: 'open', owner, sector })
  else go('opened', null, first.at, {})
  const chosen = messages.find((message, place) => place > 0 && message.fromMe && message.author === null)
  if (chosen && !first.fromMe) go('moved', null, chosen.at + SECOND, { sector })
  if (owner !== null && !first.fromMe) {
    const answer = messages.find(message => message.author !== null)!.at
    const other = (owner + 1) % 4
    const course = chance.between(1, 100)
    if (course <= 17)
      go('accepted', other, answer - 70 * SECOND, {
        status: 'open',
        owner: other,
        sector: moves.at(-1)!.to.sector ?? others[sector],
      })
    if (course <= 5) go('returned', other, answer - 45 * SECOND, { ...nowhere })
    if (course > 5 && course <= 17) go('transferred', other, answer - 25 * SECOND, { owner, sector })
    else go('accepted', owner, answer - 20 * SECOND, { status: 'open', owner, sector })
  }
  if (closedAt !== null) go('resolved', owner, closedAt, { status: 'closed' })
  return moves
}

const nowhere: TicketState = { status: 'pending', owner: null, sector: null }
