import { connections } from '@balcao/contract/connections.ts'
import { permissions, UsedAuthorization } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { SecretUse, secretUses } from '@balcao/contract/secretUses.ts'
import { companyUserChannel, User, users } from '@balcao/contract/users.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina, operator } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const bianca = butWith(marina, { id: 5, name: 'Bianca Souza', email: 'bianca@balcao.test' })
const groups = () =>
  samples(UsedAuthorization, [
    { id: 1, name: 'Operacionais' },
    { id: 2, name: 'Administradores' },
  ])

const shop = sample(SecretUse, {
  ...{ kind: 'apiToken', name: 'Loja virtual', call: 'send', network: '203.0.113.9', times: 61 },
})

const answering = (rows: User[]) => (server: Server) =>
  keeping(users, { as: 'users', by: 'userId', shape: User, rows })(
    keeping(permissions, {
      as: 'userAuthorizations',
      by: 'authorizationId',
      shape: UsedAuthorization,
      rows: groups(),
    })(server.on(users.belongings, { belongings: [] }).on(secretUses.list, { uses: [shop] })),
  )

test('an admin adds a user: what is missing is said in the words of the documents, one thing after the other, and a colleague’s change is seen (USER-001 … USER-024) [GEN-003, GEN-010, ROUTE-014, MENU-008, USER-001 … USER-003, USER-004, USER-005, USER-006, USER-007, USER-008, USER-010, USER-011, USER-013, USER-020, USER-022, USER-024, ROLE-001, CONST-002, OP-83]', async () => {
  const page = enter('/tickets', helena, { answers: answering([helena, marina, bianca]) })
  await page.press('Administração')
  await page.press('Usuários')
  await page.row('Marina Duarte').sees('')
  expect(page.words('columnheader').slice(0, 5)).toEqual([
    'Nome',
    'E-mail',
    'Perfil',
    'Conexão padrão',
    'Empresa',
  ])
  await page.row('Marina Duarte').sees('Loja Centro', 'Usuário')

  await page.press('Adicionar usuário')
  expect(location.pathname).toBe('/users/new')
  const dialog = page.dialog()
  expect(await dialog.field('Nome')).toHaveFocus()
  await dialog.fill('Nome', 'Rosa Lima')
  await dialog.fill('E-mail', 'nada')
  await dialog.press('Salvar')
  await dialog.sees('Invalid email', 'Obrigatório')
  await dialog.fill('E-mail', 'rosa@balcao.test')
  await dialog.fill('Senha', 'balcao-demo')
  await dialog.press('Salvar')
  await page.sees('Defina o grupo de permissões')
  await dialog.choose('Grupo de permissões', 'Operacionais')
  await dialog.press('Salvar')
  await page.sees('Não foi definido há conexão padrão para este usuário')
  await dialog.choose('Conexão padrão', 'Loja Centro')
  await dialog.press('Salvar')
  await page.sees('Não foi definido nenhum setor padrão para este usuário')
  await dialog.press('Vendas')
  expect(await dialog.find('slider', 'Volume')).toHaveAttribute('aria-valuenow', '50')
  await dialog.fill('Mensagem de saudação', 'Oi ')
  await dialog.press('{{cliente}}')
  await dialog.sees('Oi {{cliente}}', 'Oi Ana Souza')
  await dialog.field('Acesso ao painel financeiro')
  await dialog.lacks('Operador da plataforma')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  await page.row('rosa@balcao.test').sees('')

  page.server.push(companyUserChannel, { action: 'update', user: butWith(marina, { name: 'Marina Dias' }) })
  const [own] = page.all('row').filter(row => row.textContent?.includes('Helena Prado'))
  expect(own).toBeDefined()
  expect(page.row('Helena Prado').maybe('button', /Excluir/)).toBeNull()
})

test('the field of a password is empty when a user is changed; before deleting the question names him [GEN-003, GEN-010, ROUTE-014, MENU-008, USER-001 … USER-003, USER-004, USER-005, USER-006, USER-007, USER-008, USER-010, USER-011, USER-013, USER-020, USER-022, USER-024, ROLE-001, CONST-002, OP-83]', async () => {
  const page = enter('/users', helena, { answers: answering([helena, marina, bianca]) })
  await page.row('Bianca').press(/Editar/)
  const dialog = page.dialog()
  expect(await dialog.field('Nova senha')).toHaveValue('')
  await dialog.sees('O que programas fizeram em seu nome', 'Token Loja virtual', '203.0.113.9', '61')
  await dialog.lacks('Encerrar também os tokens')
  await dialog.fill('Nova senha', 'segredo')
  await dialog.press('Salvar')
  await dialog.sees('Too Short!')
  await dialog.fill('Nova senha', 'cadeira-azul')
  expect(await dialog.field(/Encerrar também os tokens/)).toBeChecked()
  await dialog.choose('Perfil', 'Administrador')
  await dialog.choose('Grupo de permissões', 'Administradores')
  await dialog.press('Salvar')
  await page.sees('Salvo com sucesso')
  expect(page.server.asked(users.change).at(-1)?.body).toMatchObject({
    profile: 'admin',
    userAuthorizationId: 2,
    password: 'cadeira-azul',
    endSecrets: true,
  })
  await page.row('Bianca').press(/Excluir/)
  const question = page.dialog()
  await question.sees('Bianca Souza')
  await question.press('Excluir')
  await page.sees('Excluído com sucesso')
})

test('before a user is deleted the question names what acts in his name, and a colleague may take it', async () => {
  const page = enter('/users', helena, {
    answers: server =>
      answering([helena, marina, bianca])(server)
        .on(users.all, [helena, marina, bianca])
        .on(users.belongings, {
          belongings: [
            { kind: 'apiTokens', count: 7, names: ['Loja virtual', 'ERP'] },
            { kind: 'bots', count: 1, names: ['Boas-vindas'] },
          ],
        }),
  })
  await page.row('Bianca').press(/Excluir/)
  const question = page.dialog()
  await question.sees(
    'Age em nome de Bianca Souza:',
    'Tokens da API: Loja virtual, ERP e mais 5',
    'Robôs: Boas-vindas',
  )
  await question.sees('Ninguém: para', 'Tokens e convites são revogados')
  await question.choose('Quem assume', 'Marina Duarte')
  await question.sees('Quem sai ainda conhece os tokens')
  await question.press('Excluir')
  await page.sees('Excluído com sucesso')
  expect(page.server.asked(users.remove).at(-1)?.query).toMatchObject({ heirId: marina.id })
})

test('who holds the finance panel is neither deleted nor given a password by who may not give it', async () => {
  const rich = butWith(bianca, { payPanelAccess: true })
  const page = enter('/users', butWith(helena, { payPanelAccess: false }), {
    answers: answering([butWith(helena, { payPanelAccess: false }), marina, rich]),
  })
  const why = /Bianca Souza tem um acesso que você não pode dar/
  expect(await page.row('Bianca').find('button', why)).toBeDisabled()
  await page.row('Bianca').press(/Editar/)
  await page.dialog().sees(why)
  expect(await page.dialog().field('E-mail')).toBeDisabled()
  await page.dialog().lacks('Nova senha')
})

test('users are found by more than two letters', async () => {
  const page = enter('/users', helena, { answers: answering([helena, marina, bianca]) })
  await page.row('Bianca Souza').sees('')
  await page.search('ma')
  await page.row('Bianca Souza').sees('')
  await page.search('marina')
  await expect.poll(() => page.words('row').filter(row => row.includes('Bianca'))).toEqual([])
})

test('the first user of a company brings its queues, groups and connection; beyond the plan the dialog says so [ROUTE-031, USER-014, USER-016, USER-017, USER-018]', async () => {
  const alone = butWith(helena, { queueIds: [], queues: [], whatsappId: null, whatsapp: null })
  const page = enter('/users/new', alone, {
    answers: server =>
      answering([alone])(server)
        .on(users.all, [])
        .on(queues.list, [])
        .on(connections.list, [])
        .on(permissions.list, { userAuthorizations: [], hasMore: false })
        .on(users.create, () => refuse(402, 'ERR_NO_LIMIT_USER')),
  })
  await page.sees('são criados com este usuário', 'são criadas com este usuário')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Demais')
  await dialog.fill('E-mail', 'demais@balcao.test')
  await dialog.fill('Senha', 'balcao-demo')
  await dialog.press('Salvar')
  await page.sees('O limite de usuários do plano foi atingido')
  await page.dialog().sees('')
})

test('only an operator makes operators', async () => {
  const page = enter('/users/new', operator, { answers: answering([operator]) })
  await page.dialog().field('Operador da plataforma')
})
