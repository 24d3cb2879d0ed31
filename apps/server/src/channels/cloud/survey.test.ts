import { surveys } from '@balcao/contract/surveys.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

const SECONDS = 20_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000009' })
  await scene.admin.get(surveys.change, {
    body: { enabled: true, question: 'Que nota você dá?', thanks: 'Obrigado!', everyHours: 1 },
  })
})
afterAll(() => scene.end())

/** A customer whose ticket was resolved, and who is asked now. */
async function asked(number: string) {
  const ticketId = await scene.conversation(number)
  await scene.admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  // the half minute in which a closing can be taken back is over
  await scene.world.database.script(`update surveys set due_at = now() where ticket_id = ${ticketId}`)
  const customer = scene.meta.customer(number)
  const question = await until(
    () => customer.received().find(({ text }) => text?.startsWith('Que nota')),
    SECONDS,
  )
  return { ticketId, customer, question }
}

const scoreOf = (ticketId: number) =>
  until(
    async () =>
      (await scene.admin.get(surveys.answers)).answers.find(one => one.ticketId === ticketId)?.score,
    SECONDS,
  )

test('a survey is a list, and the row that is tapped is its score: no ticket opens', async () => {
  const { ticketId, customer, question } = await asked('5511966000001')
  expect(question.type).toBe('interactive')
  expect(question.content.taps.map(({ as, title }) => [as, title])).toEqual(
    ['5 - Ótimo', '4 - Bom', '3 - Regular', '2 - Ruim', '1 - Péssimo'].map(title => ['list_reply', title]),
  )
  customer.taps(question.id, '4 - Bom')
  expect(await scoreOf(ticketId)).toBe(4)
  await until(() => customer.received().some(({ text }) => text === 'Obrigado!'), SECONDS)
  const { status } = await scene.admin.get(tickets.show, { params: { ticketId } })
  expect(status).toBe('closed')
  expect((await scene.said(ticketId)).at(-2)).toMatchObject({ fromMe: false, body: '4 - Bom' })
})

test('who writes the digit instead is understood as well', async () => {
  const { ticketId, customer } = await asked('5511966000002')
  customer.says({ text: '2' })
  expect(await scoreOf(ticketId)).toBe(2)
})
