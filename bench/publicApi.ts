import { randomInt } from 'node:crypto'
import type { Size } from './dataset.ts'
import { type Driver, drive } from './load.ts'
import type { Judged } from './paths.ts'
import { ask, phonesOf } from './screens.ts'

export const SENDS = 'POST /api/messages/send/text'
const LEAST = 500
/** One of them sends sixty a minute. */
const TOKENS = 200
/** The recipients; each is a new contact the first time. */
const CUSTOMERS = 4_000

/** Programs of all companies send texts, each with its own token; the messages leave meanwhile. */
export async function driveSends(driver: Driver, size: Size): Promise<Judged[]> {
  const phones = phonesOf(size)
  const tokens: string[] = []
  for (let at = 0; at < TOKENS; at++) {
    const { company, whatsappId } = phones[at % phones.length]!
    const body = { name: `Loja ${at}`, whatsappId, ticketSetStatus: 'closed' }
    tokens.push((await ask<{ id: string }>(driver, company, 'POST', '/ApiSendMessageToken', body)).id)
  }
  let sent = 0
  const figure = await drive(driver, SENDS, tokens[0]!, () => ({
    method: 'POST',
    path: '/api/messages/send/text',
    headers: { authorization: `Bearer ${tokens[sent++ % TOKENS]}` },
    body: {
      contactNumber: `55219${80_000_000 + randomInt(CUSTOMERS)}`,
      ...{ contactName: 'Cliente', body: 'Seu pedido saiu para entrega.' },
    },
  }))
  const met = figure.failures === 0 && figure.requestsPerSecond >= LEAST
  return [{ ...figure, target: `≥ ${LEAST}/s`, met }]
}
