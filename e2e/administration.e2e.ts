import { auth } from '@balcao/contract/auth.ts'
import { users } from '@balcao/contract/users.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { expectAccessible, inTheDark, PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

const unique = () => Date.now().toString().slice(-8)
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const openMenu = (page: Page) => page.getByRole('button', { name: 'Administração', exact: true }).click()

test('an admin adds a user, who logs in with what was chosen; a colleague’s list follows until the user is deleted (USER-001 … USER-024)', async ({
  people,
  world,
}) => {
  const helena = await people.admin()
  const name = `Rosa ${unique()}`
  const email = `rosa${unique()}@balcao.test`
  await openMenu(helena)
  await entry(helena, 'Usuários').click()
  for (const head of ['Nome', 'E-mail', 'Perfil', 'Conexão padrão', 'Empresa'])
    await expect(helena.getByRole('columnheader', { name: head })).toBeVisible()
  await expect(rowOf(helena, 'Marina Duarte')).toContainText('Loja Centro')
  await helena.getByRole('searchbox').fill('ma')
  await expect(rowOf(helena, 'Bianca Souza')).toBeVisible()
  await helena.getByRole('searchbox').fill('marina')
  await expect(rowOf(helena, 'Bianca Souza')).toBeHidden()
  await helena.getByRole('searchbox').fill('')

  await helena.getByRole('button', { name: 'Adicionar usuário' }).click()
  await expect(helena).toHaveURL('/users/new')
  const dialog = helena.getByRole('dialog')
  await expect(dialog.getByLabel('Nome')).toBeFocused()
  const { width } = (await dialog.boundingBox())!
  expect(width).toBe(helena.viewportSize()!.width)
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('E-mail').fill('nada')
  await save(helena)
  await expect(dialog.getByText('Invalid email')).toBeVisible()
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await save(helena)
  await expect(helena.getByRole('status').getByText('Defina o grupo de permissões')).toBeVisible()
  await dialog.getByLabel('Grupo de permissões').selectOption('Operacionais')
  await save(helena)
  await expect(
    helena.getByRole('status').getByText('Não foi definido há conexão padrão para este usuário'),
  ).toBeVisible()
  await dialog.getByLabel('Conexão padrão').selectOption('Loja Centro')
  await save(helena)
  await expect(
    helena.getByRole('status').getByText('Não foi definido nenhum setor padrão para este usuário'),
  ).toBeVisible()
  await dialog.getByLabel('Vendas').check()
  await expect(dialog.getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuenow', '50')
  await dialog.getByLabel('Mensagem de saudação').fill('Oi ')
  await dialog.getByRole('button', { name: '{{cliente}}' }).click()
  await expect(dialog.getByLabel('Mensagem de saudação')).toHaveValue('Oi {{cliente}}')
  await expect(dialog.getByText('Oi Ana Souza')).toBeVisible()
  await expect(dialog.getByLabel('Acesso ao painel financeiro')).toBeVisible()
  await expect(dialog.getByLabel('Operador da plataforma')).toHaveCount(0)
  await expectAccessible(helena)
  await save(helena)
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  await expect(rowOf(helena, name)).toContainText(email)

  const rosa = await people.loggedIn(email)
  await expect(rosa.getByRole('button', { name: 'Administração', exact: true })).toHaveCount(0)
  await rosa.goto('/users')
  await expect(rosa).toHaveURL('/tickets')

  const second = await people.admin({ at: '/users' })
  await expect(rowOf(second, name)).toContainText('Usuário')
  await rowOf(helena, name).getByRole('button', { name: 'Editar' }).click()
  await expect(dialog.getByLabel('Nova senha')).toHaveValue('')
  await dialog.getByLabel('Perfil').selectOption('Administrador')
  await dialog.getByLabel('Grupo de permissões').selectOption('Administradores')
  await save(helena)
  await expect(helena.getByText('Salvo com sucesso')).toBeVisible()
  await expect(rowOf(second, name)).toContainText('Administrador')
  await expect(rosa.getByRole('button', { name: 'Administração', exact: true })).toBeVisible()

  await inTheDark(second)
  await second.reload()
  await rowOf(second, name).getByRole('button', { name: 'Excluir' }).click()
  await expect(second.getByRole('dialog')).toContainText(name)
  await expectAccessible(second)
  await second.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(second.getByText('Excluído com sucesso')).toBeVisible()
  await expect(rowOf(helena, name)).toBeHidden()
  await expect(rowOf(helena, 'Helena Prado').getByRole('button', { name: 'Excluir' })).toHaveCount(0)

  const { call } = await callsOf(world.url, 'master@balcao.test')
  const operator = await people.master({ at: '/users/new' })
  await expect(operator.getByRole('dialog').getByLabel('Operador da plataforma')).toBeVisible()
  expect((await call(users.list)).users.map(one => one.name)).toEqual(['Operador'])
})

test('the first user of a company brings its queues, groups and connection; beyond the plan the dialog says so', async ({
  people,
  world,
}) => {
  const email = `dona${unique()}@nova.test`
  await fetch(world.url + auth.signup.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Loja Nova', email, password: PASSWORD }),
  })
  const owner = await people.loggedIn(email, { at: '/users/new' })
  const dialog = owner.getByRole('dialog')
  await expect(dialog.getByText('são criados com este usuário')).toBeVisible()
  await expect(dialog.getByText('são criadas com este usuário')).toBeVisible()
  await dialog.getByLabel('Nome').fill('Primeira')
  await dialog.getByLabel('E-mail').fill(`um${email}`)
  await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await save(owner)
  await expect(rowOf(owner, 'Primeira')).toContainText('Principal')
  await owner.getByRole('link', { name: 'Grupos de permissões' }).click()
  await expect(owner).toHaveURL('/UserAuthorizations')
  for (const name of ['Administradores', 'Gerentes', 'Operacionais'])
    await expect(rowOf(owner, name)).toBeVisible()

  const { call, user } = await callsOf(world.url, email)
  const [first] = (await call(users.list)).users.filter(one => one.name === 'Primeira')
  const { userAuthorizationId, whatsappId, queueIds } = first!
  const limit = 10
  for (let count = (await call(users.all)).length; count < limit; count++)
    await call(users.create, {
      body: {
        ...{ name: 'Mais um', email: `${count}${email}`, password: PASSWORD },
        ...{ userAuthorizationId, whatsappId, queueIds },
      },
    })
  expect(user.companyId).toBe(first!.companyId)
  await owner.goto('/users/new')
  await dialog.getByLabel('Nome').fill('Demais')
  await dialog.getByLabel('E-mail').fill(`demais${email}`)
  await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await dialog.getByLabel('Grupo de permissões').selectOption('Operacionais')
  await dialog.getByLabel('Conexão padrão').selectOption('Principal')
  await dialog.getByLabel('Suporte').check()
  await save(owner)
  await expect(owner.getByText('O limite de usuários do plano foi atingido')).toBeVisible()
  await expect(dialog).toBeVisible()
})

test('what a group gives and takes is felt at once; deleting it says how many have it (PERM-001 … PERM-008)', async ({
  people,
  world,
}) => {
  const name = `Turno ${unique()}`
  const helena = await people.admin({ at: '/UserAuthorizations' })
  await helena.getByRole('button', { name: 'Adicionar grupo' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('G')
  await save(helena)
  await expect(dialog.getByText('Too Short!')).toBeVisible()
  await dialog.getByLabel('Nome').fill(name)
  for (const on of ['Abrir atendimentos aguardando', 'Ver atendimentos sem fila', 'Ver o painel'])
    await expect(dialog.getByLabel(on)).toBeChecked()
  for (const off of ['Exportar conversas', 'Sem saudação do atendente', 'Sem assinatura'])
    await expect(dialog.getByLabel(off)).not.toBeChecked()
  await dialog.getByLabel('Sem saudação do atendente').press('Space')
  await dialog.getByLabel('Mensagens que o atendente vê').selectOption('Separadas por atendimento')
  await expectAccessible(helena)
  await save(helena)
  await expect(rowOf(helena, name)).toContainText('Separadas por atendimento')

  const { call, user } = await callsOf(world.url)
  const email = `turno${unique()}@balcao.test`
  const authorizationId = Number(
    await rowOf(helena, name)
      .getByRole('button', { name: 'Editar' })
      .click()
      .then(() => helena.url().split('/').pop()),
  )
  await call(users.create, {
    body: {
      ...{ name: 'Do Turno', email, password: PASSWORD, profile: 'admin' },
      ...{ queueIds: user.queueIds, whatsappId: user.whatsappId, userAuthorizationId: authorizationId },
    },
  })
  const worker = await people.loggedIn(email)
  const greeting = worker.getByRole('switch', { name: 'Saudação' })
  const administration = worker.getByRole('button', { name: 'Administração', exact: true })
  await expect(administration).toBeVisible()
  await expect(greeting).toHaveCount(0)
  await worker.goto('/users')
  await expect(rowOf(worker, 'Helena Prado')).toBeVisible()

  await dialog.getByLabel('Sem saudação do atendente').press('Space')
  await dialog.getByLabel('Administrar a empresa').press('Space')
  await save(helena)
  await expect(greeting).toBeVisible()
  await expect(administration).toHaveCount(0)
  await expect(worker).toHaveURL('/tickets')
  // its address opens it again
  await expect(dialog).toBeHidden()

  await inTheDark(helena)
  await helena.reload()
  await expectAccessible(helena)
  await rowOf(helena, name).getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog.getByText('1 usuário está neste grupo')).toBeVisible()
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expect(rowOf(helena, name)).toBeHidden()
  await expect(administration).toBeVisible()
})

test('a queue is added at its own address with a colour that no other has, seen by a colleague, changed and deleted (QUEUE-001 … QUEUE-008)', async ({
  people,
}) => {
  const name = `Fila ${unique()}`
  const color = `#${unique().slice(-6)}`
  const second = await people.admin({ at: '/queues' })
  await expect(rowOf(second, 'Vendas')).toContainText('Você está em Vendas')
  const helena = await people.admin({ at: '/queues/new' })
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('Cor', { exact: true }).fill('#1273DE')
  await dialog.getByLabel('Mensagem de saudação').fill('Protocolo {{protocolo}}, {{nada}}')
  await expect(dialog.getByText(/^Protocolo \d{12}, \{\{nada\}\}$/)).toBeVisible()
  await save(helena)
  await expect(dialog.getByText('Esta cor já está em uso em outra fila')).toBeVisible()
  await dialog.getByLabel('Cor', { exact: true }).fill('azul')
  await save(helena)
  await expect(dialog.getByLabel('Cor', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Cor', { exact: true }).fill(color)
  await expectAccessible(helena)
  await save(helena)
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  await expect(helena).toHaveURL('/queues')
  await expect(rowOf(second, name)).toContainText('Protocolo {{protocolo}}')

  await rowOf(helena, name).getByRole('button', { name: 'Editar' }).click()
  await dialog.getByLabel('Mensagem de saudação').fill('Já vamos atender.')
  await save(helena)
  await expect(helena.getByText('Salvo com sucesso')).toBeVisible()
  await expect(rowOf(second, name)).toContainText('Já vamos atender.')
  await inTheDark(helena)
  await helena.reload()
  await expect(rowOf(helena, name)).toBeVisible()
  await expectAccessible(helena)
  await rowOf(helena, name).getByRole('button', { name: 'Excluir' }).press('Enter')
  await expect(dialog).toContainText('ficam sem fila')
  await dialog.getByRole('button', { name: 'Excluir' }).press('Enter')
  await expect(rowOf(second, name)).toBeHidden()
})
