import { connections } from '@balcao/contract/connections.ts'
import { callsOf } from './call.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

test('a token is made, copied, tried on the page of the API, renewed and revoked', async ({
  people,
  world,
}) => {
  const helena = await people.admin()
  const line = `Integração ${Date.now().toString().slice(-6)}`
  await helena.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = helena.getByRole('dialog')
  const { call: ask } = await callsOf(world.url)
  const { id: whatsappId } = await ask(connections.create, { body: { name: line, lib: 'simulator' } })
  await ask(connections.start, { params: { whatsappId } })

  await helena.goto('/api')
  await helena.getByRole('link', { name: 'Tokens da API' }).click()
  await expect(helena).toHaveURL('/apisendmessage')
  await helena.getByRole('button', { name: 'Adicionar token' }).click()
  const name = `Loja virtual ${line.slice(-6)}`
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('É necessário adicionar uma conexão para realizar campanhas')).toBeVisible()
  // the default one is not offered
  await expect(dialog.getByLabel('Conexão').getByRole('option', { name: 'Loja Centro' })).toHaveCount(0)
  await dialog.getByLabel('Conexão').selectOption({ label: line })
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Token salvo com sucesso')).toBeVisible()
  const row = helena.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Nunca')
  const heads = helena.getByRole('columnheader')
  await expect(heads).toHaveText([
    ...['Token', 'Nome', 'Status do atendimento após o envio', 'Fila', 'Usuário', 'Conexão'],
    ...['Último uso', 'Ações'],
  ])
  const cells = row.getByRole('cell')
  for (const [at, shown] of [name, 'Encerrado', 'Nenhuma', 'Helena Prado', line].entries())
    await expect(cells.nth(at + 1)).toHaveText(shown)
  await helena.getByRole('searchbox').fill('nada disto')
  await expect(row).toBeHidden()
  await helena.getByRole('searchbox').fill(name)
  await expect(row).toBeVisible()
  const copied = async () => {
    await row.getByRole('button', { name: `Copiar o token ${name}` }).click()
    return helena.evaluate(() => navigator.clipboard.readText())
  }
  const token = await copied()
  expect(token).toMatch(/^[0-9a-f-]{36}$/)
  await expectAccessible(helena)

  const tryWith = async (given: string) => {
    await helena.getByLabel('Token para experimentar').fill(given)
    const call = helena.getByRole('group').filter({ hasText: '/api/messages/send/text' })
    await call.getByLabel('contactNumber').fill('5511977001122')
    await call.getByLabel('body', { exact: true }).fill('Seu pedido saiu')
    await call.getByRole('button', { name: 'Enviar' }).click()
    return call.getByRole('status')
  }
  await helena.getByRole('button', { name: 'Voltar para a API' }).click()
  await expect(helena).toHaveURL('/api')
  await expect(await tryWith(token)).toContainText('ticketProtocol')
  await expectAccessible(helena)
  await inTheDark(helena)
  await helena.reload()
  await expect(helena.getByText('/api/messages/send/media', { exact: true })).toBeVisible()
  await expectAccessible(helena)

  await helena.goto('/apisendmessage')
  await expect(row).not.toContainText('Nunca')
  await row.getByRole('button', { name: `Renovar ${name}` }).click()
  await dialog.getByRole('button', { name: 'Renovar' }).click()
  await expect(helena.getByText('Token renovado')).toBeVisible()
  expect(await copied()).not.toBe(token)
  await row.getByRole('button', { name: `Revogar ${name}` }).click()
  await dialog.getByRole('button', { name: 'Revogar' }).click()
  await expect(row).toBeHidden()
  await helena.goto('/api')
  await expect(await tryWith(token)).toContainText('ERR_API_TOKEN')
})

test('an attendant looks at the API on a phone, at each of its addresses', async ({ people }) => {
  const marina = await people.attendant()
  await marina.setViewportSize({ width: 390, height: 844 })
  for (const address of ['/api', '/api_old', '/ApiDocumentation']) {
    await marina.goto(address)
    await expect(marina.getByText('/api/messages/send/text', { exact: true })).toBeVisible()
  }
  const isWider = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  expect(await marina.evaluate(isWider)).toBe(false)
  await marina.getByLabel('Descrição').selectOption({ label: 'Exemplo' })
  await expect(marina.getByText('/users', { exact: true })).toBeVisible()
})

test('where connections cannot be loaded the form of a token says which one it needs', async ({ people }) => {
  const helena = await people.admin({ at: '/apisendmessage' })
  await helena.route(/\/whatsapp\/?(\?.*)?$/, route => route.abort())
  await helena.reload()
  await helena.getByRole('button', { name: 'Adicionar token' }).click()
  await expect(
    helena.getByRole('dialog').getByText('Para enviar mensagens é preciso uma conexão que não seja a padrão'),
  ).toBeVisible({ timeout: 30_000 })
})
