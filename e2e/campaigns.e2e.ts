import { simulator } from '@balcao/contract/simulator.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { campaignOf, dialogOf, main, press, rowWith, secondLine } from './campaigning.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const fitsPhone = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

test('an admin makes a setup and a campaign from a pasted list; two watch it run, rest and go on', async ({
  people,
  world,
}) => {
  const line = await secondLine(world, 'Linha de campanhas')
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
  await expectAccessible(helena)
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

  const { call } = await callsOf(world.url)
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

test('another company sees none of it; an attendant has no entry, looks, and only copies', async ({
  people,
  world,
}) => {
  const { id } = await campaignOf(world, 'Só da Lume', [newNumber()])
  const stranger = await people.stranger({ at: '/Campaigns' })
  await expect(stranger.getByText('Nenhuma campanha')).toBeVisible()
  await stranger.goto(`/CampaignsManager/${id}`)
  await expect(main(stranger).getByRole('alert')).toBeVisible()
  await expect(stranger.getByText('Só da Lume')).toHaveCount(0)

  const marina = await people.attendant()
  await expect(marina.getByRole('link', { name: 'Campanhas' })).toHaveCount(0)
  await marina.goto('/Campaigns')
  const row = marina.locator(`[data-campaign="${id}"]`)
  await expect(row.getByRole('button', { name: 'Copiar Só da Lume' })).toBeVisible()
  await expect(row.getByRole('button', { name: /^(Editar|Excluir)/ })).toHaveCount(0)
  await row.getByRole('link', { name: 'Só da Lume' }).click()
  await expect(marina.getByText('Mensagens enviadas 0 de 1')).toBeVisible()
  await expect(main(marina).getByRole('button', { name: 'START' })).toHaveCount(0)
  await marina.goto(`/CampaignsCreator/${id}`)
  await expect(marina.getByText(/^Só quem criou esta campanha e administradores a mudam/)).toBeVisible()
  await expect(marina.getByLabel('Nome', { exact: true })).toBeDisabled()
  await expect(main(marina).getByRole('button', { name: 'Salvar' })).toHaveCount(0)
  const helena = await people.admin()
  await expect(helena.getByRole('link', { name: 'Campanhas' })).toBeVisible()
})

test('the spreadsheet that was chosen stays though another is chosen elsewhere, and is told when it is gone', async ({
  people,
}) => {
  const list = (name: string) => {
    const buffer = Buffer.from(['number,name_opcional', `${newNumber()},Rosa`].join('\n'))
    return { name, mimeType: 'text/csv', buffer }
  }
  const choose = async (page: Page, name: string) => {
    await page.goto('/CampaignsCreator')
    await page.getByText('Planilha', { exact: true }).first().click()
    await page.locator('input[type=file]').last().setInputFiles(list(name))
    await expect(page.getByText(`${name}: 1 com número válido`)).toBeVisible()
  }
  const [helena, marina] = [await people.admin(), await people.attendant()]
  await choose(helena, 'dela.csv')
  await choose(marina, 'outra.csv')
  await expect(helena.getByText('dela.csv: 1 com número válido')).toBeVisible()
  await choose(await people.admin(), 'nova.csv')
  await expect(
    main(helena).getByText('Esta planilha não está mais aqui: escolha o arquivo de novo'),
  ).toBeVisible()
})

test('it is scheduled and unscheduled, takes more people and a file, and fits a phone in the dark', async ({
  people,
  world,
}) => {
  const { id } = await campaignOf(world, 'De bolso', [newNumber(), newNumber()])
  const helena = await people.admin({ viewport: { width: 390, height: 844 } })
  await inTheDark(helena)
  await helena.goto(`/CampaignsManager/${id}`)
  await press(helena, 'Agendar')
  await dialogOf(helena).getByRole('switch', { name: 'Começar em um horário' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Agendamento da campanha salvo')).toBeVisible()
  await expect(helena.getByText('Agendada', { exact: true })).toBeVisible()
  await expect(helena.getByText('Agendamento da campanha salvo')).toBeHidden()
  await fitsPhone(helena)
  await expectAccessible(helena)
  await press(helena, 'Agendar')
  await dialogOf(helena).getByRole('switch', { name: 'Começar em um horário' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Sem agendamento')).toBeVisible()

  await press(helena, 'Editar')
  await expect(helena.getByLabel('Nome', { exact: true })).toHaveValue('De bolso')
  await helena.getByText('Planilha', { exact: true }).first().click()
  const sheet = ['number,name_opcional,email_opcional', `${newNumber()},Rosa,`, 'abc,Sem número,'].join('\n')
  await helena
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await expect(helena.getByText('lista.csv: 1 com número válido, 0 repetidos, 1 recusados')).toBeVisible()
  await fitsPhone(helena)
  await expectAccessible(helena)
  await press(helena, 'Salvar')
  await expect(helena.getByText('Mensagens enviadas 0 de 3')).toBeVisible()
  await helena.getByRole('button', { name: 'Tirar Rosa da campanha' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Excluir' }).click()
  await expect(helena.getByText('Mensagens enviadas 0 de 2')).toBeVisible()
})
