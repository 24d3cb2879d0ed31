import { CampaignSetup, campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { Campaign } from '@balcao/contract/campaignShapes.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { draftOf, emptyMessage, messagesOf } from './creator-values.ts'

test('numbers that were pasted and not taken over are kept when the source is changed, saved, and asked for before one leaves', async () => {
  const setup = sample(CampaignSetup, { id: uuid(7), name: 'Ritmo calmo' })
  const page = enter('/CampaignsCreator', helena, {
    answers: server =>
      server
        .on(campaignSetups.list, { campaignSetups: [setup], hasMore: false })
        .on(campaignSetups.show, setup)
        .on(campaigns.create, () => sample(Campaign, { id: 5 })),
  })
  await page.fill('Números, um por linha', '5531990000001')
  await page.press('Categorias')
  await page.press('Colar números')
  expect(await page.field('Números, um por linha')).toHaveValue('5531990000001')
  await page.press('Respostas rápidas')
  await page.dialog('Sair sem salvar?').press('Cancelar')
  // an entry of a menu and the end of the session are ways out too
  await page.press('Administração')
  await page.user.click(await page.find('menuitem', 'Etiquetas'))
  await page.dialog('Sair sem salvar?').press('Cancelar')
  await page.press(/Conta de/)
  await page.user.click(await page.find('menuitem', 'Logout'))
  await page.dialog('Sair sem salvar?').press('Cancelar')
  expect(location.pathname).toBe('/CampaignsCreator')
  await page.press('Respostas rápidas')
  await page.dialog('Sair sem salvar?').press('Sair sem salvar')
  await expect.poll(() => location.pathname).toBe('/quickAnswers')
})

test('files keep their names on the way, two of the same name too', () => {
  const file = (name: string) => new File([name], name, { type: 'application/pdf' })
  const messages = [
    { ...emptyMessage(), body: 'Só texto' },
    { ...emptyMessage(), file: file('tabela.pdf') },
    { ...emptyMessage(), mediaUrl: '/files/1', mediaName: 'antes.pdf' },
    { ...emptyMessage(), file: file('tabela.pdf') },
  ]
  const sent = messagesOf({ ...draftOf(null, false), messages })
  expect(sent.files.map(({ name }) => name)).toEqual(['tabela.pdf', 'tabela.pdf'])
  expect(sent.messages.map(({ typeMessage, mediaUrl }) => mediaUrl ?? typeMessage)).toEqual([
    ...['text', 'media', '/files/1', 'media'],
  ])
})
