import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('the operator sees what runs, how full the machine is, repairs counts, and reads every call', async ({
  people,
}) => {
  const master = await people.master()
  await master.goto('/tickets')
  await master.getByRole('button', { name: 'Administração SaaS' }).click()
  await master.getByRole('menuitem', { name: 'Controle do sistema' }).click()

  const processes = master.getByRole('table', { name: 'Processos' })
  await expect(processes.getByRole('columnheader')).toHaveText([
    ...['Nome', 'CPU', 'Memória', 'Tempo ativo', 'Reinícios'],
    ...['Conexões', 'Atraso (p99)', 'Versão'],
  ])
  const own = processes.getByRole('row').nth(1)
  await expect(own).toContainText('web+worker+channels@')
  await expect(own).toContainText('ativo')
  await expect(own.getByRole('meter', { name: 'Memória' })).toHaveAttribute('aria-valuemax', '2048')
  await expect(own.getByRole('meter', { name: 'CPU' })).toHaveAttribute('aria-valuemax', '100')
  await expectAccessible(master)

  await master.getByRole('button', { name: 'Recursos do sistema' }).click()
  const machine = master.getByRole('region', { name: 'Máquina' })
  await expect(machine.getByRole('meter', { name: 'Disco' })).toContainText(/[KMGT]iB de/)
  await expect(machine.getByRole('meter', { name: 'Núcleo 1' })).toContainText('%')

  await master.getByRole('button', { name: 'Ajustar banco de dados' }).click()
  await expect(master.getByText(/Nada estava errado|Contagens corrigidas/)).toBeVisible()
  await expect(master.getByRole('table', { name: 'Filas de trabalhos' })).toContainText(
    'messageLogs.reprocessRecent',
  )

  await master.getByRole('button', { name: 'Reiniciar' }).click()
  await master.getByRole('dialog').getByRole('button', { name: 'Reiniciar' }).click()
  await expect(
    master.getByText('O sistema esta sendo reiniciado, pressione f5 ou recarregue a pagina'),
  ).toBeVisible()
  await expect(master.getByText('Nada foi executado: defina RESTART_COMMAND na instalação.')).toBeVisible()
  await master.getByRole('button', { name: 'Atualizar', exact: true }).click()
  await master.getByRole('dialog').getByRole('button', { name: 'Atualizar' }).click()
  await expect(
    master.getByText('O sistema esta sendo atualizado, pressione f5 ao termino deste alerta'),
  ).toBeVisible()

  await master.getByRole('button', { name: 'Documentação interna' }).click()
  await master.getByRole('searchbox').fill('/systemcontrol')
  await master.getByText('/systemcontrol', { exact: true }).click()
  await expect(master.getByText('getPm2Info').last()).toBeVisible()
  await master.getByRole('button', { name: 'Voltar ao controle do sistema' }).click()
  await master.getByRole('button', { name: 'Logs de mensagens' }).click()
  await expect(master).toHaveURL('/messageLogs')
})

test('who is no operator has no such entry, and is led away', async ({ people }) => {
  const admin = await people.admin()
  await admin.goto('/systemControl')
  await expect(admin).toHaveURL('/tickets')
  await expect(admin.getByRole('button', { name: 'Administração SaaS' })).toHaveCount(0)
})
