import { SurveyAnswer, SurveySettings, surveys } from '@balcao/contract/surveys.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const nora = { id: 71, name: 'Nora' }
const marina = { id: 3, name: 'Marina Duarte' }

test('scores have their average, parts that narrow them, and their conversations; what may not be read is hidden', async () => {
  const open = sample(SurveyAnswer, {
    ...{ id: 1, ticketId: 41, score: 4, comment: 'Demorou', contact: nora, readable: true },
    ...{
      userId: 3,
      user: marina,
      askedAt: '2026-11-20T12:00:00.000Z',
      answeredAt: '2026-11-20T12:10:00.000Z',
    },
  })
  const apart = sample(SurveyAnswer, {
    ...open,
    id: 2,
    ticketId: 42,
    contact: null,
    comment: '',
    readable: false,
  })
  const page = enter('/survey', helena, {
    answers: server =>
      server.on(surveys.answers, ({ query }) => ({
        ...{
          answers: query.userId === 3 ? [open] : [open, apart],
          hasMore: false,
          average: 4.25,
          count: 1_240,
        },
        ...{
          asked: 2_000,
          distribution: [0, 40, 100, 600, 500],
          byUser: [{ ...marina, count: 1_000, average: 4.5 }],
        },
        byQueue: [{ id: 0, name: '', count: 240, average: 3.125 }],
      })),
  })
  await page.sees(
    '4,25 / 5',
    '1.240 respostas de 2.000 perguntas',
    'Demorou',
    'Conversa de outra fila',
    '3,13',
  )
  expect(page.all('link').find(link => link.textContent === 'Nora')).toHaveAttribute('href', '/tickets/41')
  await page.part('table', 'Por atendente').press('Marina Duarte')
  await page.lacks('Conversa de outra fila')
  await page.choose('Nota', '4')
  await expect
    .poll(() => page.server.asked(surveys.answers).at(-1)?.query)
    .toMatchObject({ userId: 3, score: 4 })
})

test('an admin says how customers are asked; what is wrong stands at its field', async () => {
  const settings = sample(SurveySettings, {
    ...{
      question: 'Que nota?',
      words: ['a1', 'b2', 'c3', 'd4', 'e5'],
      everyHours: 24,
      answerWithinHours: 24,
    },
  })
  const page = enter('/survey', helena, {
    answers: server =>
      server
        .on(surveys.answers, {
          ...{ answers: [], hasMore: false, average: null, count: 0, asked: 0 },
          ...{ distribution: [0, 0, 0, 0, 0], byUser: [], byQueue: [] },
        })
        .on(surveys.show, settings)
        .on(surveys.change, ({ body }) => ({ ...settings, ...body })),
  })
  await page.sees('Ainda não há notas neste período')
  await page.press('Como perguntar')
  const dialog = page.dialog()
  await dialog.fill('Pergunta', '')
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Pergunta', 'Como foi?')
  await dialog.press('Perguntar depois do encerramento')
  await dialog.press('Salvar')
  await page.sees('Salvo com sucesso')
  expect(page.server.asked(surveys.change).at(-1)?.body).toMatchObject({
    enabled: true,
    question: 'Como foi?',
  })
})
