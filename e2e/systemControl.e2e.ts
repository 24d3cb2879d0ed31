import { expectToLast, runUntil } from './clock.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('the operator sees what runs, how full the machine is, repairs counts, and reads every call', async ({
  people,
}) => {
  const master = await people.master()
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
  const admin = await people.admin({ at: '/systemControl' })
  await expect(admin).toHaveURL('/tickets')
  await expect(admin.getByRole('button', { name: 'Administração SaaS' })).toHaveCount(0)
})

test('it is asked every 2.5 s, a hundred times and no more; the word of an update stays for a minute (SYS-004, SYS-012, CONST-006)', async ({
  people,
}) => {
  const master = await people.master()
  await master.clock.install()
  // A clock that runs ahead takes the live line for dead, and each new line has everything asked again.
  await master.routeWebSocket(/socket\.io/, () => {})
  let asked = 0
  master.on('request', request => {
    if (request.method() === 'POST' && /\/systemcontrol/i.test(request.url())) asked += 1
  })
  await master.goto('/systemControl')
  await expect(master.getByRole('table', { name: 'Processos' }).getByRole('row').nth(1)).toBeVisible()
  await master.clock.pauseAt(Date.now() + 60_000)
  const before = asked
  await master.clock.runFor(2_400)
  await expect.poll(() => asked - before).toBeLessThanOrEqual(1)
  await expect
    .poll(
      async () => {
        await master.clock.runFor(2_500)
        return asked
      },
      { intervals: [20], timeout: 60_000 },
    )
    .toBe(100)
  await master.clock.runFor(30_000)
  expect(asked).toBe(100)

  await master.getByRole('button', { name: 'Atualizar', exact: true }).click()
  await runUntil(master, master.getByRole('dialog'))
  await master.getByRole('dialog').getByRole('button', { name: 'Atualizar' }).click()
  const told = master.getByText('O sistema esta sendo atualizado, pressione f5 ao termino deste alerta')
  await expectToLast(master, told, 60)
})
