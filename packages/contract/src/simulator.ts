import { z } from 'zod'
import { id, instant, route } from './kit.ts'
import { MAX_BODY } from './messages.ts'

/** What the simulated phone shows; `fromMe` is true when the company wrote it. */
export const SimulatedMessage = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  body: z.string(),
  mediaUrl: z.string().nullable(),
  mediaType: z.string().nullable(),
  ack: z.int(),
  createdAt: instant,
})
export type SimulatedMessage = z.infer<typeof SimulatedMessage>

const phone = z.object({ whatsappId: id })
const number = z.string().regex(/^\d{8,20}$/, 'Digits with country code')

export const simulator = {
  write: route('POST', '/simulator/:whatsappId/messages', {
    needs: 'session',
    says: 'A customer writes from the simulated phone.',
    params: phone,
    body: z.object({
      number,
      name: z.string().max(100).optional(),
      body: z.string({ error: 'Required' }).min(1, 'Required').max(MAX_BODY, 'Too Long!'),
    }),
    reply: z.object({ id: z.string() }),
  }),
  chats: route('GET', '/simulator/:whatsappId/chats', {
    needs: 'session',
    says: 'The numbers this phone has talked with, newest first.',
    params: phone,
    reply: z.array(
      z.object({ number: z.string(), name: z.string(), lastMessage: z.string(), updatedAt: instant }),
    ),
  }),
  chat: route('GET', '/simulator/:whatsappId/chats/:number', {
    needs: 'session',
    says: 'What the phone of that number shows, oldest first.',
    params: phone.extend({ number }),
    reply: z.array(SimulatedMessage),
  }),
  receipt: route('POST', '/simulator/:whatsappId/receipts', {
    needs: 'session',
    says: 'That phone received (3), read (4) or played (5) everything it was sent.',
    params: phone,
    body: z.object({ number, ack: z.int().min(2).max(5) }),
  }),
  fault: route('POST', '/simulator/:whatsappId/fault', {
    needs: 'admin',
    says: 'Makes the simulated network misbehave until told otherwise.',
    params: phone,
    body: z.object({ kind: z.enum(['offline', 'slow', 'reject', 'none']) }),
  }),
}
