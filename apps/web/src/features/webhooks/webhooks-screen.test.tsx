import { apiDocuments } from '@balcao/contract/publicApi.ts'
import { Webhook, WebhookDelivery, webhookChannel, webhooks } from '@balcao/contract/webhooks.ts'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const gone = {
  isActive: false,
  offReason: 'gone',
  lastFailure: { at: '2026-11-20T12:00:00.000Z', status: 410, error: '' },
} as const
const stock = () =>
  samples(Webhook, [
    {
      id: 1,
      name: 'Loja virtual',
      url: 'https://loja.test/aviso',
      events: ['message.received'],
      isActive: true,
    },
    { id: 2, name: 'Sistema antigo', url: 'https://foi.test', events: ['ticket.changed'], ...gone },
  ])
const answering =
  (rows: Webhook[]) =>
  (server: Server): Server =>
    keeping(webhooks, { as: 'webhooks', by: 'webhookId', shape: Webhook, rows })(server)

test('who receives says that it is gone: an admin sees why it is off, switches it on, and deletes it', async () => {
  const rows = stock()
  const page = enter('/webhooks', helena, { answers: answering(rows) })
  const row = page.row('Sistema antigo')
  await page.sees('Desligado: o endereço disse que não existe mais (410)', 'Última falha')
  await row.lacks('Mensagem recebida')
  await page.press('Editar Sistema antigo')
  await page.dialog().press('Ativo')
  await page.dialog().press('Salvar')
  await expect.poll(() => page.server.asked(webhooks.change)[0]?.body.isActive).toBe(true)
  rows[1] = { ...rows[1]!, offReason: '', lastFailure: null }
  page.server.push(webhookChannel, { action: 'update', webhook: { name: 'Sistema antigo' } })
  await page.lacks('Desligado')
  await page.press('Excluir Sistema antigo')
  await page.dialog().press('Excluir')
  await page.lacks('Sistema antigo')
})

test('what was told is narrowed by how it went, and the secret is renewed after a question', async () => {
  let secret = 'whsec_um'
  const delivery = sample(WebhookDelivery, {
    id: uuid(1),
    event: 'ping',
    body: '{}',
    state: 'done',
    attempts: 1,
    status: 204,
  })
  const page = enter('/webhooks', helena, {
    answers: server =>
      answering(stock())(server)
        .on(webhooks.listDeliveries, ({ query }) => ({
          deliveries: query.state === 'failed' ? [] : [delivery],
          hasMore: false,
        }))
        .on(webhooks.showSecret, () => ({ secret }))
        .on(webhooks.renewSecret, () => {
          secret = 'whsec_dois'
          return { secret }
        }),
  })
  await page.press('Entregas de Loja virtual')
  const dialog = page.dialog('Entregas de Loja virtual')
  await dialog.sees('Respondeu 204')
  await dialog.press('Falhou')
  await dialog.sees('Nenhuma entrega')
  await dialog.press('Mostrar o segredo')
  await dialog.sees('whsec_um')
  await dialog.press('Renovar o segredo')
  await page.dialog('Renovar o segredo?').press('Renovar')
  await page.sees('Segredo renovado')
  await dialog.sees('whsec_dois')
})

test('who administers nothing is not offered webhooks beside the API', async () => {
  const page = enter('/api', marina, {
    answers: server => server.on(apiDocuments.show, { openapi: '3.1.0', paths: {} }),
  })
  await page.find('link', 'Tokens da API')
  expect(page.maybe('link', 'Webhooks')).toBeNull()
})
