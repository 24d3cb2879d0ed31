import { bots } from '@balcao/contract/bots.ts'
import { WORDS } from '@balcao/contract/bots.words.rules.ts'
import { connections } from '@balcao/contract/connections.ts'
import { startWhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { expect, test, vi } from 'vitest'
import { setCloudScene } from '../../../testing/cloud.ts'
import { openTestApp, type Person, until } from '../../../testing/test-app.ts'
import { ANA, SHOP } from '../../../testing/whatsapp.ts'

vi.setConfig({ testTimeout: 120_000 })
const SECONDS = 30_000

const GREETING = 'Olá! Como posso ajudar?'
const many = Array.from({ length: 11 }, (_, at) => `Modelo ${at + 1}`)
const commands = [
  { commandBot: '1', commandType: 2, descriptionBot: 'Móveis', showMessage: 'Qual?' },
  { commandBot: '1.1', commandType: 1, descriptionBot: 'Sofás', showMessage: 'Em linho.' },
  {
    commandBot: '1.2',
    commandType: 1,
    descriptionBot: 'Mesas de jantar para doze pessoas',
    showMessage: 'Em pinho.',
  },
  { commandBot: '2', commandType: 6, descriptionBot: 'Visita', showMessage: 'Confirma?' },
  { commandBot: '2.1', commandType: 1, descriptionBot: 'Sim', showMessage: 'Até amanhã.' },
  { commandBot: '2.2', commandType: 1, descriptionBot: 'Agora não', showMessage: 'Fica para a próxima.' },
  { commandBot: '3', commandType: 2, descriptionBot: 'Modelos', showMessage: 'Todos:' },
  ...many.map((descriptionBot, at) => ({
    commandBot: `3.${at + 1}`,
    commandType: 1,
    descriptionBot,
    showMessage: 'Sim.',
  })),
]

/** The same bot, on whichever connection. */
async function speakOn(admin: Person, whatsappId: number) {
  await admin.get(connections.change, { params: { whatsappId }, body: { greetingMessage: GREETING } })
  const { id: botSetupId } = await admin.get(bots.addSetup, {
    body: { name: 'Loja', typingTime: '1', burstSeconds: 0, typeMenu: 'list', whatsapps: [whatsappId] },
  })
  const params = { companyId: admin.user.companyId }
  for (const command of commands)
    await admin.get(bots.addCommand, { params, body: { botSetupId, ...command } })
  return botSetupId
}

test('over the official API menus are lists and buttons, and are written where they do not fit; a tap on an older one changes nothing', async () => {
  const scene = await setCloudScene()
  await speakOn(scene.admin, scene.whatsappId)
  const rita = scene.meta.addCustomer('5511955550001')
  let pushes = 0
  const next = async () => {
    pushes += 1
    const shown = await until(() => rita.received().length >= pushes && rita.received(), SECONDS)
    const { id, type, text, content } = shown[pushes - 1]!
    return { id, type, text, taps: content.taps.map(({ as, title }) => `${as} ${title}`) }
  }
  rita.says('oi')
  const menu = await next()
  expect(menu).toMatchObject({
    ...{ type: 'interactive', text: GREETING },
    taps: ['list_reply 1 - Móveis', 'list_reply 2 - Visita', 'list_reply 3 - Modelos'],
  })
  rita.taps(menu.id, '1 - Móveis')
  const below = await next()
  expect(below.taps).toEqual(['list_reply 1 - Sofás', 'list_reply 2 - Mesas de jantar par…'])
  rita.taps(below.id, '2 - Mesas de jantar par…')
  expect(await next()).toMatchObject({ type: 'text', text: 'Em pinho.' })
  rita.says('#')
  rita.taps((await next()).id, '2 - Visita')
  const buttons = await next()
  expect(buttons).toMatchObject({ text: 'Confirma?', taps: ['button_reply Sim', 'button_reply Agora não'] })
  rita.taps(buttons.id, 'Agora não')
  expect(await next()).toMatchObject({ text: 'Fica para a próxima.' })
  rita.says('#')
  const again = await next()
  rita.taps(buttons.id, 'Sim')
  expect(await next()).toMatchObject({ type: 'text', text: WORDS.olderMenu })
  rita.taps(again.id, '3 - Modelos')
  const written = many.map((name, at) => `*${at + 1}* - ${name}`).join('\n')
  expect(await next()).toMatchObject({ type: 'text', text: `Todos:\n\n${written}` })
  await scene.end()
})

test('over a linked phone the same menus are written, and numbers choose; as polls, the vote does, and one in an older poll changes nothing', async () => {
  const server = await startWhatsAppServer()
  trust(server)
  const app = await openTestApp({ WHATSAPP_WEB_URL: server.url })
  const admin = await app.as('admin@balcao.test')
  const shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const ana = await server.addPhone(ANA, { name: 'Ana' })
  const { id: whatsappId } = await admin.get(connections.create, { body: { name: 'Loja', lib: 'baileys' } })
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  await shop.scan((await until(async () => (await show()).qrcode, SECONDS))!)
  await until(async () => (await show()).status === 'CONNECTED', SECONDS)
  const botSetupId = await speakOn(admin, whatsappId)
  const asks = async (body: string, pushes: number) => {
    await ana.write(SHOP, body)
    return (await until(() => ana.received().length >= pushes && ana.received(), SECONDS)).at(-1)!.text
  }
  expect(await asks('oi', 1)).toBe(`${GREETING}\n\n*1* - Móveis\n*2* - Visita\n*3* - Modelos`)
  expect(await asks('1', 2)).toBe('Qual?\n\n*1* - Sofás\n*2* - Mesas de jantar para doze pessoas')
  expect(await asks('mesas de jantar para doze pessoas', 3)).toBe('Em pinho.')
  expect(await asks('#', 4)).toContain('*2* - Visita')
  expect(await asks('2', 5)).toBe('Confirma?\n\n*1* - Sim\n*2* - Agora não')
  expect(await asks('sim', 6)).toBe('Até amanhã.')
  await admin.get(bots.changeSetup, { params: { botSetupId }, body: { typeMenu: 'poll' } })
  await asks('#', 7)
  const votes = async (id: string, choice: string, pushes: number) => {
    await ana.answers.vote(SHOP, id, [choice])
    return (await until(() => ana.received().length >= pushes && ana.received(), SECONDS)).at(-1)!
  }
  const menu = ana.received().at(-1)!
  expect(menu.poll).toEqual({ question: GREETING, options: ['Móveis', 'Visita', 'Modelos'], choices: 1 })
  const below = await votes(menu.id, 'Visita', 8)
  expect(below.poll).toMatchObject({ question: 'Confirma?', options: ['Sim', 'Agora não'] })
  expect((await votes(menu.id, 'Móveis', 9)).text).toBe(WORDS.olderMenu)
  expect((await votes(below.id, 'Agora não', 10)).text).toBe('Fica para a próxima.')
  expect(ana.received().every(({ times }) => times === 1)).toBe(true)
  await app.close()
  await server.close()
  expect([server.errors, server.unknown]).toEqual([[], []])
})
