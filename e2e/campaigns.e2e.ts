import { simulator } from '@balcao/contract/simulator.ts'
import { dialogOf, main, press, rowWith, secondConnection } from './campaigning.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('an admin makes a setup and a campaign from a pasted list; two watch it run, rest and go on [GEN-022, ROUTE-020 … ROUTE-023, CSETUP-015, CAMP-012, CAMP-018, CAMP-020, CAMP-036]', async ({
  people,
  shop,
}) => {
  const line = await secondConnection(shop, 'Linha de campanhas')
  const helena = await people.admin({ at: '/Campaigns' })
  await press(helena, 'Configurações')
  await press(helena, 'Adicionar configuração')
  const dialog = dialogOf(helena)
  await dialog.getByLabel('Nome', { exact: true }).fill('Ritmo calmo')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(
    helena.getByText('É necessário adicionar uma conexão para realizar campanhas').first(),
  ).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Conexões' }).click()
  await expect(helena.getByRole('option', { name: 'Loja Centro' })).toHaveCount(0)
  await helena.getByRole('option', { name: 'Linha de campanhas' }).click()
  await helena.keyboard.press('Escape')
  await dialog.getByLabel('Rodapé da mensagem').selectOption('buttons')
  await expect(dialog.getByLabel('Pergunta')).toHaveValue('Você tem interesse?')
  for (const [at, answer] of ['Sim', 'Não', 'Talvez'].entries())
    await expect(dialog.getByLabel(`Botão ${at + 1}`, { exact: true })).toHaveValue(answer)
  await dialog.getByRole('button', { name: 'Adicionar botão' }).click()
  await expect(helena.getByText('O Whatsapp permite adicionar somente 3 botões por mensagens.')).toBeVisible()
  await dialog.getByLabel('Rodapé da mensagem').selectOption('none')
  await dialog.getByLabel('Tempo máximo').selectOption('10')
  await dialog.getByLabel('Tempo mínimo').selectOption('1')
  await dialog.getByLabel('Intervalo').selectOption('5')
  await dialog.getByRole('switch', { name: 'Começar assim que a campanha é criada' }).click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(rowWith(helena, 'Ritmo calmo').getByText('10 | 1 | 5')).toBeVisible()
  await expect(rowWith(helena, 'Ritmo calmo').getByText('Manual')).toBeVisible()

  const numbers = Array.from({ length: 6 }, newNumber)
  await helena.goto('/CampaignsCreator')
  await press(helena, 'Salvar')
  const told = (words: string) => expect(helena.getByText(words).first()).toBeVisible()
  await told('Adicione o nome da campanha')
  await told('Selecione a Configuração da campanha')
  await told('Adicione uma saudação')
  await told('Adicione uma mensagem')
  await told('Adicione ao menos um contato')
  await helena.getByLabel('Nome', { exact: true }).fill('Novidades de maio')
  await helena.getByLabel('Configuração').selectOption({ label: 'Ritmo calmo' })
  await helena.getByRole('textbox', { name: 'Saudação' }).fill('Oi {{nome|tudo bem}}!')
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram novidades de maio')
  const twice = numbers[0]!
  // with its country, without, and without the ninth digit it is one number
  const again = [twice, twice.slice(2), `${twice.slice(0, 4)}${twice.slice(5)}`]
  const pasted = [...numbers.map(one => (one === twice ? `${one};Ana` : one)), ...again, '123']
  await helena.getByLabel('Números, um por linha').fill(pasted.join('\n'))
  await press(helena, 'Adicionar números')
  await told('Contatos adicionados')
  await told('3 repetidos, ignorados')
  await told('Curtos demais, ignorados: 123')
  await expect(main(helena).getByText('Adicione ao menos um contato')).toHaveCount(0)
  await expect(helena.getByText(/a última sai no mínimo em/)).toBeVisible()
  await expectAccessible(helena)
  await press(helena, 'Salvar')

  await expect(helena.getByRole('heading', { name: 'Novidades de maio' })).toBeVisible()
  await expect(helena.getByText('Mensagens enviadas 0 de 6')).toBeVisible()
  await expect(helena.getByText('6 de 6 que esperam')).toBeVisible()
  await press(helena, 'Prévia')
  await expect(dialogOf(helena).getByText('Oi Ana!')).toBeVisible()
  await helena.keyboard.press('Escape')

  const other = await people.admin({ at: new URL(helena.url()).pathname })
  await expect(other.getByText('Mensagens enviadas 0 de 6')).toBeVisible()
  await press(helena, 'START')
  await expect(helena.getByText(/Você pode fechar esta página/)).toBeVisible()
  for (const page of [helena, other]) {
    await expect(page.getByText('Em andamento')).toBeVisible()
    await expect(page.locator(`[data-dispatch="${numbers[0]}"]`).getByText('Enviada')).toBeVisible({
      timeout: 30_000,
    })
  }
  await press(other, 'PAUSE')
  for (const page of [helena, other]) await expect(page.getByText('Pausada', { exact: true })).toBeVisible()
  await expectAccessible(helena)

  const { call } = shop
  await call(simulator.write, {
    params: { whatsappId: line },
    body: { number: numbers[0]!, body: 'sair' },
  })
  const first = helena.locator(`[data-dispatch="${numbers[0]}"]`)
  await expect(first.getByText(/pediu para sair/)).toBeVisible()
  await press(helena, 'START')
  for (const page of [helena, other]) await expect(page.getByText('Em andamento')).toBeVisible()
  await press(helena, 'Concluir')
  await dialogOf(helena).getByRole('button', { name: 'Concluir' }).click()
  for (const page of [helena, other]) {
    await expect(page.getByText('Finalizada', { exact: true })).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'START' })).toHaveCount(0)
  }
})
