import { ApiSendMessageToken, apiTokens } from '@balcao/contract/apiTokens.ts'
import { Connection, connections } from '@balcao/contract/connections.ts'
import { expect, test, vi } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { breakOff, type Server } from '../../../testing/server.ts'

const lines = samples(Connection, [
  { id: 1, name: 'Loja Centro', isDefault: true },
  { id: 2, name: 'Integração', lib: 'simulator' },
])
const answering = (server: Server) => {
  let rows: ApiSendMessageToken[] = []
  return server
    .on(connections.list, lines)
    .on(apiTokens.list, ({ query }) => ({
      apiSendMessageTokens: rows.filter(({ name }) => name.includes(query.searchParam ?? '')),
      hasMore: false,
    }))
    .on(apiTokens.create, ({ body }) => {
      const token = sample(ApiSendMessageToken, {
        ...{
          id: uuid(1),
          ending: uuid(1).slice(-4),
          name: body.name,
          ticketSetStatus: 'closed',
          userId: 2,
          user: { id: 2, name: 'Helena Prado' },
        },
        ...{ whatsappId: 2, whatsapp: { id: 2, name: 'Integração' } },
      })
      rows = [{ ...token, id: uuid(9) }]
      return token
    })
    .on(apiTokens.renew, () => {
      rows = [{ ...rows[0]!, ending: uuid(2).slice(-4) }]
      return { ...rows[0]!, id: uuid(2) }
    })
    .on(apiTokens.remove, () => {
      rows = []
      return {}
    })
}

test('a token is made for a connection that is not the default, copied, renewed and revoked [GEN-022, ROUTE-041, TOKEN-001, TOKEN-002, TOKEN-003, TOKEN-006, TOKEN-008, TOKEN-010, APIDOC-001 … APIDOC-002]', async () => {
  const copied: string[] = []
  const page = enter('/apisendmessage', helena, { answers: answering })
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async text => void copied.push(text))
  await page.press('Adicionar token')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Loja virtual')
  await dialog.press('Salvar')
  await page.sees('É necessário adicionar uma conexão para realizar campanhas')
  const offered = [...(await dialog.field('Conexão')).querySelectorAll('option')].map(({ text }) => text)
  expect(offered).not.toContain('Loja Centro')
  await dialog.choose('Conexão', 'Integração')
  await dialog.press('Salvar')
  await page.sees('Token salvo com sucesso')
  await page.dialog().sees('este token não é mostrado de novo')
  await page.dialog().press('Copiar: Token')
  await expect.poll(() => copied).toEqual([uuid(1)])
  await page.dialog().press('Fechar')
  const row = page.row('Loja virtual')
  await row.sees('Nunca')
  expect(page.words('columnheader')).toEqual([
    ...['Token', 'Nome', 'Status do atendimento após o envio', 'Fila', 'Usuário', 'Conexão'],
    ...['Último uso', 'Válido até', 'Ações'],
  ])
  expect(row.words('cell').slice(1, 6)).toEqual([
    'Loja virtual',
    'Encerrado',
    'Nenhuma',
    'Helena Prado',
    'Integração',
  ])
  await page.search('nada disto')
  await page.lacks('Loja virtual')
  await page.search('Loja')
  await row.sees(`…${uuid(1).slice(-4)}`, 'Sem prazo')
  await row.lacks(uuid(1).slice(0, 8))
  await row.press('Renovar Loja virtual')
  await page.dialog().press('Renovar')
  await page.sees('Token renovado')
  expect(await page.dialog().field('Token')).toHaveValue(uuid(2))
  await page.dialog().press('Fechar')
  await row.press('Revogar Loja virtual')
  await page.dialog().press('Revogar')
  await page.lacks('Loja virtual')
})

test('where connections cannot be loaded the form of a token says which one it needs [TOKEN-007]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const page = enter('/apisendmessage/new', helena, {
    answers: server => answering(server).on(connections.list, () => breakOff()),
  })
  await page.dialog().field('Conexão')
  // the request is repeated four times
  await vi.advanceTimersByTimeAsync(15_000)
  await page.sees('Para enviar mensagens é preciso uma conexão que não seja a padrão')
  page.server.complaints.length = 0
})

test('a token that was just made is not shown to the next user of the window', async () => {
  const page = enter('/apisendmessage', helena, { answers: answering })
  await page.press('Adicionar token')
  await page.dialog().fill('Nome', 'Loja virtual')
  await page.dialog().choose('Conexão', 'Integração')
  await page.dialog().press('Salvar')
  await page.sees(uuid(1))
  const next = enter('/apisendmessage', helena, { answers: answering })
  await next.sees('Adicionar token')
  await next.lacks(uuid(1))
})
