import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { visiting } from '../../../platform/visit.ts'

/** Whether text and files can be sent now. */
export const isWritable = ({ status, repliesUntil }: Ticket, now: number) =>
  status === 'open' && !visiting.now() && !repliesAreOver(repliesUntil, now)
