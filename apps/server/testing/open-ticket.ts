import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { newNumber } from './rows.ts'
import { type Person, until } from './test-app.ts'

/** A customer wrote, and the ticket is accepted. */
export async function openTicket(admin: Person): Promise<number> {
  const [number, whatsappId] = [newNumber(), admin.user.whatsappId!]
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  const { id } = await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(ticket => ticket.contact.number === number)
  })
  const queueId = admin.user.queues[0]!.id
  await admin.get(tickets.change, { params: { ticketId: id }, body: { status: 'open', queueId } })
  return id
}
