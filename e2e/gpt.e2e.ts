import { refusals } from '@balcao/openai-server/refusals.ts'
import { type OpenAiServer, startOpenAiServer } from '@balcao/openai-server/server.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './people.ts'
import { test as base, expect } from './world.ts'

/** A local model, over HTTP: nothing of the product is stubbed. */
const test = base.extend<{ model: OpenAiServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
  model: async ({}, use) => {
    const model = await startOpenAiServer()
    await use(model)
    await model.close()
  },
})

const narrow = { width: 390, height: 780 }
const wide = { width: 1440, height: 900 }

async function fits(page: Page) {
  for (const viewport of [narrow, wide]) {
    await page.setViewportSize(viewport)
    const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(beyond, `what stands beyond the edge at ${viewport.width}`).toBeLessThanOrEqual(0)
  }
}

test('a master connects a model, an admin writes a prompt, tries it, sees why it fails, and deletes it [GEN-023, ROUTE-045, ROUTE-046, OP-130 … OP-131, BOTCFG-001 … BOTCFG-003, BOTCFG-004, BOTCFG-005 … BOTCFG-006, BOTCFG-008, BOTCFG-009, BOTCFG-010, BOTCFG-022, INTEG-001, INTEG-003, SIM-001]', async ({
  people,
  model,
}) => {
  const master = await people.master({ at: '/botConfig' })
  await master.getByRole('link', { name: 'Integrações' }).click()
  await expect(master).toHaveURL('/integration')
  await master.getByRole('button', { name: 'Adicionar' }).click()
  const connecting = master.getByRole('dialog')
  await connecting.getByRole('button', { name: 'Salvar' }).click()
  await expect(connecting.getByText('Obrigatório')).toHaveCount(2)
  await expect(connecting.getByRole('combobox', { name: 'Tipo' })).toHaveValue('Chat GPT')
  await connecting.getByLabel('Nome').fill('Modelo da casa')
  await connecting.getByLabel('Endereço da API').fill(model.url)
  await connecting.getByLabel('Chave da API').fill(model.token)
  await fits(master)
  await connecting.getByRole('button', { name: 'Salvar' }).click()
  await master.getByRole('button', { name: 'Testar Modelo da casa' }).click()
  await expect(connecting).toContainText('gpt-5-mini')

  const helena = await people.admin({ at: '/botConfig' })
  await expect(helena.getByRole('heading', { level: 1 })).toContainText('ChatGPT')
  await expect(helena.getByRole('link', { name: 'Integrações' })).toBeHidden()
  await helena.getByRole('button', { name: 'Novo prompt' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Prompt', { exact: true }).fill('Vendas da Lume')
  await expect(dialog).toContainText('Encerrado pelo fornecedor em 23/10/2026')
  await dialog.getByRole('combobox', { name: 'Modelo' }).fill('gpt-5-mini')
  await dialog.getByLabel('Contexto').fill('Somos a Lume Móveis. senha: segredo123')
  await expect(dialog).toContainText('um cliente pode descobrir')
  await dialog.getByLabel('Contexto').fill('Somos a Lume Móveis.')
  await dialog.getByRole('button', { name: 'Adicionar mensagem' }).click()
  await dialog.getByLabel('Mensagem inicial 1', { exact: true }).fill('Olá! Sou a assistente da Lume.')
  await dialog.getByRole('slider', { name: 'Temperatura' }).press('ArrowRight')
  await fits(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Configuração salva com sucesso')).toBeVisible()
  const row = helena.getByRole('row').filter({ hasText: 'Vendas da Lume' })
  await expect(row).toContainText('gpt-5-mini')

  await row.getByRole('button', { name: 'Editar' }).click()
  await expect(helena).toHaveURL(/\/botConfig\/\d+$/)
  await expect(dialog.getByText('Temperatura: 0.2')).toBeVisible()
  await helena.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Testar' }).click()
  await expect(dialog.locator('[data-status]')).toHaveText('online')
  model.script.next({ text: 'Temos sofás a partir de R$ 900.', delay: 1_000 })
  await dialog.getByLabel('Escreva como um cliente').fill('Tem sofá?')
  await helena.keyboard.press('Enter')
  await expect(dialog.locator('[data-status]')).toHaveText('digitando...')
  await expect(dialog.getByText('Temos sofás a partir de R$ 900.')).toBeVisible()
  await expect(dialog.locator('[data-status]')).toHaveText('online')
  await fits(helena)
  await expectAccessible(helena)
  model.script.next({ refuse: refusals.noQuota() })
  await dialog.getByLabel('Escreva como um cliente').fill('E mesa?')
  await helena.keyboard.press('Enter')
  await expect(dialog.getByText('O crédito da conta do provedor acabou')).toBeVisible()
  await dialog.getByRole('button', { name: 'Limpar conversa' }).click()
  await expect(dialog.getByText('Temos sofás')).toBeHidden()
  await helena.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Uso e falhas' }).click()
  await expect(dialog).toContainText('O crédito da conta do provedor acabou')
  await fits(helena)
  await helena.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog).toContainText('Excluir o prompt Vendas da Lume?')
  await expect(dialog).toContainText('Isto não pode ser desfeito')
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expect(helena.getByText('Prompt excluído com sucesso')).toBeVisible()
  await expect(row).toBeHidden()
})
