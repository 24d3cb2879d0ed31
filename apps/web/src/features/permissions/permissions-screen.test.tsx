import { permissions, UsedAuthorization } from '@balcao/contract/permissions.ts'
import { userChannel } from '@balcao/contract/users.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const groups = (server: Server) =>
  keeping(permissions, {
    as: 'userAuthorizations',
    by: 'authorizationId',
    shape: UsedAuthorization,
    rows: samples(UsedAuthorization, [{ id: 1, name: 'Operacionais', usersCount: 1 }]),
  })(server)

test('a group begins with what the documents give it; deleting it says how many have it (PERM-001 … PERM-008) [GEN-003, GEN-010, MENU-007, PERM-001, PERM-002, PERM-004, PERM-007, PERM-008]', async () => {
  const page = enter('/UserAuthorizations', helena, { answers: groups })
  await page.press('Adicionar grupo')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'G')
  await dialog.press('Salvar')
  await dialog.sees('Too Short!')
  await dialog.fill('Nome', 'Turno da noite')
  for (const on of ['Abrir atendimentos aguardando', 'Ver atendimentos sem fila', 'Ver o painel'])
    expect(await dialog.field(on)).toBeChecked()
  for (const off of ['Exportar conversas', 'Sem saudação do atendente', 'Sem assinatura'])
    expect(await dialog.field(off)).not.toBeChecked()
  await dialog.press('Sem saudação do atendente')
  await dialog.choose('Mensagens que o atendente vê', 'Separadas por atendimento')
  await dialog.press('Salvar')
  await page.row('Turno da noite').sees('Separadas por atendimento')
  expect(page.server.asked(permissions.create)[0]?.body).toMatchObject({
    disableGreeting: true,
    viewMessagesByTicket: 2,
  })

  await page.row('Operacionais').press(/Excluir/)
  await page.dialog().sees('1 usuário está neste grupo')
  await page.dialog().press('Excluir')
  await expect.poll(() => page.words('row').filter(row => row.includes('Operacionais'))).toEqual([])
})

test('what a group gives and takes is felt at once: the greeting, the administration, the screen one is on [GEN-003, GEN-010, MENU-007, PERM-001, PERM-002, PERM-004, PERM-007, PERM-008]', async () => {
  const group = { ...helena.userAuthorization!, disableGreeting: true, enableAdministration: 1 as const }
  const worker = butWith(helena, { userAuthorization: group })
  const page = enter('/UserAuthorizations', worker, { answers: groups })
  await page.row('Operacionais').sees('')
  await page.find('button', 'Administração')
  const less = butWith(worker, { userAuthorization: { enableAdministration: 0, disableGreeting: false } })
  page.server.push(userChannel, { action: 'update', user: less })
  await expect.poll(() => location.pathname).toBe('/tickets')
  await page.find('switch', 'Saudação')
  expect(page.maybe('button', 'Administração')).toBeNull()
})
