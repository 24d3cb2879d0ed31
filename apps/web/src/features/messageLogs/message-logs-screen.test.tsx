import { messageLogChannel, messageLogs, RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const log = sample(RawMessageLog, {
  id: 7,
  messageId: 'SIM7',
  ticketId: 41,
  type: 'message',
  companyId: 2,
  details0: 'a palavra é pitanga',
  details1: '3',
  JsonValue: '{"messageId": "SIM7"}',
})

test('the operator reads what the connections heard, opens a row over the whole window, and has it handled again [GEN-024, ROUTE-043, LOG-002, LOG-004, LOG-005, LOG-009]', async () => {
  const page = enter('/messageLogs', operator, {
    answers: server =>
      server.on(messageLogs.list, { messagesBruteLogs: [], hasMore: false }).on(messageLogs.reprocess, log),
  })
  await page.find('heading', 'Logs de mensagens')
  page.server.on(messageLogs.list, { messagesBruteLogs: [log], hasMore: false })
  page.server.push(messageLogChannel, { action: 'create', messagesBruteLog: log })
  await page.sees('a palavra é pitanga')
  expect(page.words('columnheader')).toEqual([
    'Data',
    'Tempo gasto',
    'Ticket',
    'Contato e mensagem',
    'Empresa',
    'Conexão',
    'Tipo',
    'Texto',
    'id',
  ])
  await page.press('a palavra é pitanga')
  const detail = page.dialog('Logs de mensagens: 7')
  await detail.sees('"messageId": "SIM7"')
  await detail.press('Reprocessar')
  await page.sees('Reprocessado')
  await detail.press('Voltar')
  await page.closed()
})

test('words and marks narrow the log; all of it is deleted only when asked again [LOG-003, LOG-007]', async () => {
  let rows = [log]
  const page = enter('/messageLogs', operator, {
    answers: server =>
      server
        .on(messageLogs.list, ({ query }) => ({
          messagesBruteLogs: rows.filter(
            ({ details0 }) => details0.includes(query.searchParam ?? '') && !query.searchParamWitchError,
          ),
          hasMore: false,
        }))
        .on(messageLogs.removeAll, () => {
          rows = []
          page.server.push(messageLogChannel, { action: 'delete', messagesBruteLogId: null })
          return { deleted: 1 }
        }),
  })
  await page.sees('pitanga')
  await page.fill('Buscar', 'jambolão')
  await page.sees('Nada por aqui')
  await page.fill('Buscar', 'pitanga')
  await page.sees('a palavra é pitanga')
  await page.press('Aviso')
  await page.lacks('a palavra é')
  await page.press('Aviso')
  await page.sees('a palavra é')
  await page.press('Excluir todos')
  await page.dialog('Excluir todos os logs?').press('Cancelar')
  await page.closed()
  await page.sees('a palavra é')
  await page.press('Excluir todos')
  await page.dialog('Excluir todos os logs?').press('Excluir todos')
  await page.lacks('a palavra é')
})
