import type { Page } from '@playwright/test'
import { bubbles, compose, newNumber, sentBy } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) => page.getByRole('list', { name: 'Comandos' }).locator('[data-command]')

/** Adds a command by the dialog of the page. */
async function add(
  page: Page,
  command: { type: string; name: string; says: string; queue?: string; number?: string },
) {
  await page.getByRole('button', { name: 'Adicionar comando' }).first().click()
  const dialog = dialogOf(page)
  if (command.number) await dialog.getByLabel('Número').fill(command.number)
  await dialog.getByLabel('Tipo').selectOption(command.type)
  await dialog.getByLabel('Nome no menu').fill(command.name)
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill(command.says)
  if (command.queue) await dialog.getByLabel('Setor').selectOption(command.queue)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
}

async function makeBot(page: Page, name: string) {
  await page.goto('/BotSetups/new')
  const dialog = dialogOf(page)
  await dialog.getByLabel('Nome', { exact: true }).fill(name)
  await dialog.getByLabel('Tempo digitando').selectOption('1')
  await expect(dialog.getByLabel('Depois de')).toBeHidden()
  await dialog.getByLabel('O que fazer').selectOption('transferQueueDefault')
  await expect(dialog.getByLabel('Depois de')).toBeVisible()
  await expect(dialog.getByLabel('Setor')).toBeVisible()
  await dialog.getByLabel('O que fazer').selectOption('none')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('Bot salvo com sucesso')).toBeVisible()
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
}

async function say(page: Page, text: string) {
  await page.getByLabel('Mensagem', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Enviar' }).click()
}

test('an admin builds a bot, tries it and switches it on; a customer is led, and an attendant takes over [GEN-022, ROUTE-026, ROUTE-032, BOTSETUP-002 … BOTSETUP-004, BOTSETUP-006, BOTSETUP-012 … BOTSETUP-013, BOTSETUP-020, BOTCMD-025]', async ({
  people,
  phone,
}) => {
  test.setTimeout(240_000)
  const helena = await people.admin()
  const marina = await people.attendant()
  const name = `Robô ${Date.now().toString().slice(-6)}`
  const stranger = await people.stranger({ at: '/BotSetups' })
  await expect(stranger.getByRole('button', { name: 'Ir para os comandos' })).toBeVisible()
  await makeBot(helena, name)
  await add(helena, { type: 'Menu', name: 'Suporte', says: 'Suporte: o que houve?' })
  await expect(helena.getByText('Menu sem opções abaixo.')).toBeVisible()
  await add(helena, { type: 'Pergunta', name: 'Pedido', says: 'Qual é o número do pedido?', number: '1.1' })
  await add(helena, {
    type: 'Setor',
    name: 'Gente',
    says: 'Já chamo alguém.',
    queue: 'Suporte',
    number: '1.1.1',
  })
  await expect(helena.getByText('Menu sem opções abaixo.')).toBeHidden()

  await say(helena, 'oi')
  await say(helena, '1')
  await say(helena, '4711')
  const tried = helena.getByRole('region', { name: 'Experimentar o bot' })
  await expect(tried).toContainText('Já chamo alguém.')
  await expect(tried).toContainText('Transfere para Suporte')
  await expect(tried).toContainText('Respondeu à pergunta 1.1')
  await expectAccessible(helena)
  await tried.getByRole('button', { name: 'Recomeçar' }).click()
  await expect(tried).not.toContainText('Já chamo alguém.')

  const setup = helena.url().match(/\/Bots\/(\d+)/)![1]
  await helena.goto(`/BotSetups/${setup}`)
  await dialogOf(helena).getByRole('combobox', { name: 'Conexões' }).click()
  await helena.getByRole('option', { name: 'Loja Centro' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByRole('row').filter({ hasText: name })).toContainText('Loja Centro')

  const heard = async (number: string) => (await sentBy(phone, number)).join('\n')
  const hears = (number: string, words: string) =>
    expect.poll(() => heard(number), { timeout: 20_000 }).toContain(words)
  const toTheQuestion = async (name: string) => {
    const number = newNumber()
    await phone.write(number, 'oi', name)
    await hears(number, 'o que houve?')
    await phone.write(number, '1')
    await hears(number, 'número do pedido')
    return number
  }
  const [led, taken] = await Promise.all(['Célia do Setor', 'Davi no Meio'].map(toTheQuestion))
  await phone.write(led!, '4711')
  await hears(led!, 'Já chamo alguém.')

  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await marina.locator('[data-ticket]').filter({ hasText: 'Célia do Setor' }).click()
  const pane = marina.getByRole('region', { name: 'Conversa com Célia do Setor' })
  const known = pane.getByRole('status').filter({ hasText: 'robô' })
  await expect(known).toContainText('Qual é o número do pedido? 4711')
  await pane.getByRole('button', { name: 'Aceitar' }).first().click()
  await known.getByRole('button', { name: 'Devolver ao robô' }).click()
  await expect(marina.getByText('Devolvido ao robô')).toBeVisible()

  await helena.goto('/tickets')
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await helena.locator('[data-ticket]').filter({ hasText: 'Davi no Meio' }).click()
  const middle = helena.getByRole('region', { name: 'Conversa com Davi no Meio' })
  await expect(middle).toContainText('espera a resposta à pergunta 1.1')
  await middle.getByRole('button', { name: 'Assumir' }).click()
  await chooseQueue(helena)
  await expect(middle.getByText('O robô está em silêncio')).toBeVisible()
  await expectAccessible(helena)
  await phone.write(taken!, '4711')
  await expect(bubbles(helena).filter({ hasText: '4711' })).toBeVisible()
  await compose(helena).fill('Oi, aqui é a Helena.')
  await helena.keyboard.press('Enter')
  await hears(taken!, 'aqui é a Helena')
  expect(await heard(taken!)).not.toContain('Já chamo alguém.')

  await expect(stranger.getByText(name)).toBeHidden()
  await stranger.reload()
  await expect(stranger.getByText('Ainda não há bots')).toBeVisible()
  await marina.goto('/BotSetups')
  await expect(marina.getByRole('button', { name: `Copiar ${name}` })).toBeVisible()
  await expect(marina.getByRole('button', { name: `Excluir ${name}` })).toBeHidden()

  await helena.goto('/BotSetups')
  await helena.getByRole('button', { name: `Excluir ${name}` }).click()
  await dialogOf(helena).getByRole('button', { name: 'Excluir' }).click()
  await expect(marina.getByRole('button', { name: `Copiar ${name}` })).toBeHidden()
})

/** A bot with several queues requires a choice. */
async function chooseQueue(page: Page) {
  const asked = dialogOf(page).getByLabel('Fila')
  await expect(asked.or(compose(page)).first()).toBeVisible()
  if (!(await asked.isVisible())) return
  await asked.selectOption({ label: 'Suporte' })
  await dialogOf(page).getByRole('button', { name: 'Iniciar' }).click()
}

test('the list and the chart are walked, edited and put in order by the keyboard, also on a phone [OP-12, BOTCMD-001, BOTCMD-003 … BOTCMD-004, BOTCMD-006, BOTCMD-007 … BOTCMD-008, BOTCMD-022 … BOTCMD-023]', async ({
  people,
}) => {
  test.setTimeout(240_000)
  const helena = await people.admin()
  await makeBot(helena, `Árvore ${Date.now().toString().slice(-6)}`)
  await expect(helena.getByRole('button', { name: 'Voltar aos bots' })).toBeVisible()
  await add(helena, { type: 'Menu', name: 'Vendas', says: 'Vendas?' })
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  await add(helena, { type: 'Resolver Ticket', name: 'Fim', says: 'Até breve!' })
  await add(helena, { type: 'Informativo', name: 'Horas', says: 'Das 9h às 19h', number: '1.1' })
  await expect(rows(helena)).toHaveText([/^1Menu/, /^1\.1Info/, /^2Resolver/])

  await rows(helena).last().focus()
  await helena.keyboard.press('Alt+ArrowUp')
  await expect(rows(helena)).toHaveText([/^1Resolver/, /^2Menu/, /^2\.1Info/])
  await expect(rows(helena).first()).toBeFocused()
  await helena.keyboard.press('ArrowDown')
  await expect(rows(helena).nth(1)).toBeFocused()
  await helena.getByRole('button', { name: 'Desfazer' }).click()
  await expect(rows(helena)).toHaveText([/^1Menu/, /^1\.1Info/, /^2Resolver/])

  await helena.getByRole('button', { name: 'Hierarquia' }).click()
  const tree = helena.getByRole('tree')
  await expect(tree.getByRole('treeitem').first()).toContainText('CHATBOT')
  await expect(tree.getByRole('treeitem').first()).toContainText('Início')
  await expect(tree.getByRole('treeitem', { name: /^2 ?Resolver/ })).toContainText('Até breve!')
  await tree.getByRole('treeitem').first().focus()
  await helena.keyboard.press('ArrowDown')
  await helena.keyboard.press('ArrowRight')
  await expect(tree.getByRole('treeitem', { name: /^2 ?Resolver/ })).toBeFocused()
  await helena.keyboard.press('Alt+ArrowLeft')
  await expect(tree.getByRole('treeitem', { name: /^1 ?Resolver/ })).toBeFocused()
  await helena.keyboard.press('Control+z')
  await expect(tree.getByRole('treeitem', { name: /^2 ?Resolver/ })).toBeVisible()

  // dragging onto the middle of another puts it below that one
  const [from, to] = [
    tree.getByRole('treeitem', { name: /^2 ?Resolver/ }),
    tree.getByRole('treeitem', { name: /^1 ?Menu/ }),
  ]
  await from.dragTo(to)
  await expect(tree.getByRole('treeitem', { name: /^1\.2 ?Resolver/ })).toBeVisible()
  await tree.getByRole('treeitem', { name: /^1\.2 ?Resolver/ }).focus()
  await helena.keyboard.press('Enter')
  await dialogOf(helena).last().getByLabel('Nome no menu').fill('Encerrar')
  await dialogOf(helena).last().getByRole('button', { name: 'Salvar' }).click()
  await helena.keyboard.press('Escape')
  await expect(rows(helena).last()).toContainText('Encerrar')

  await inTheDark(helena)
  await helena.setViewportSize({ width: 390, height: 844 })
  await helena.reload()
  await expect(rows(helena)).toHaveCount(3)
  await helena.getByRole('button', { name: 'Hierarquia' }).click()
  await expect(tree.getByRole('treeitem').first()).toBeInViewport()
  await expectAccessible(helena)
  await helena.keyboard.press('Escape')

  await helena.getByRole('button', { name: 'Ações do comando 1', exact: true }).click()
  await helena.getByRole('menuitem', { name: 'Excluir' }).click()
  await expect(dialogOf(helena)).toContainText('Os 2 comandos abaixo dele vão junto.')
  await dialogOf(helena).getByRole('button', { name: 'Excluir' }).click()
  await expect(rows(helena)).toHaveCount(0)
})
