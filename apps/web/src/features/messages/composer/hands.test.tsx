import { cloud } from '@balcao/contract/cloud.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { breakOff } from '../../../../testing/server.ts'
import { begunBy } from './stored-held.ts'

const WRITE = 'Escreva uma mensagem'
const nora = ticketOf('Nora Lima', {}, marina)
const me = { id: 3, name: marina.name }
const messageAt = (place: number, body: string, more: Partial<Message> = {}) =>
  messageOn(nora, place, {
    ...{ body, fromMe: true, ack: 3, user: me, createdAt: new Date().toISOString() },
    ...more,
  })

test('↑ in an empty field edits what one said last, and nothing that is too old or a colleague’s', async () => {
  const here = counter(nora, [
    messageOn(nora, 1),
    messageAt(2, 'Bom dai!'),
    messageAt(3, 'Já vejo', { user: { id: 9, name: 'Caio Ribeiro' } }),
  ])
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here.answers(server).on(messages.edit, ({ body }) => messageAt(2, body.body, { version: 2 })),
  })
  await page.fill(WRITE, 'Oi')
  await page.user.keyboard('{ArrowUp}')
  expect(page.maybe('dialog')).toBeNull()
  await page.fill(WRITE, '')
  await page.user.keyboard('{ArrowUp}')
  const dialog = page.dialog('Editar mensagem')
  await dialog.fill('Editar mensagem', 'Bom dia!')
  await dialog.press('Salvar')
  await page.closed()
  await page.sees('Bom dia!')
  expect(page.server.asked(messages.edit)[0]).toMatchObject({ params: { messageId: messageAt(2, '').id } })

  const old = counter(nora, [messageAt(1, 'Bom dai!', { createdAt: '2020-01-01T12:00:00.000Z' })])
  const later = enter('/tickets/41', marina, { answers: old.answers })
  await later.user.click(await later.field(WRITE))
  await later.user.keyboard('{ArrowUp}')
  expect(later.maybe('dialog')).toBeNull()
})

test('a colon and the letters of a word offer emojis where one writes; hours and smileys stay as they are', async () => {
  const page = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await page.type(WRITE, 'Muito :obri')
  const list = page.part('listbox', 'Emojis')
  await waitFor(() => list.find('option', '🙏'))
  await page.user.keyboard('{Enter}')
  expect(await page.field(WRITE)).toHaveValue('Muito 🙏')
  await page.type(WRITE, ' às 10:30 :) :ola')
  await page.find('listbox', 'Emojis')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(page.maybe('listbox')).toBeNull())
  expect(await page.field(WRITE)).toHaveValue('Muito 🙏 às 10:30 :) :ola')
  expect(page.server.asked(messages.send)).toEqual([])
})

/** A microphone that delivers as many samples as a test requests, and a player of the page. */
function soundHere() {
  let deliver: (samples: Float32Array) => void = () => {}
  const played: EventTarget[] = []
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal(
    'AudioContext',
    class {
      sampleRate = 44_100
      audioWorklet = { addModule: async () => {} }
      createMediaStreamSource = () => ({ connect() {}, disconnect() {} })
      resume = async () => {}
      suspend = async () => {}
      close = async () => {}
    },
  )
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = {
        close() {},
        set onmessage(handler: (event: { data: Float32Array }) => void) {
          deliver = data => handler({ data })
        },
      }
    },
  )
  vi.stubGlobal(
    'Audio',
    class extends EventTarget {
      paused = true
      currentTime = 0
      duration = 2
      constructor() {
        super()
        played.push(this)
      }
      async play() {
        this.paused = false
        this.dispatchEvent(new Event('play'))
      }
      pause() {
        this.paused = true
        this.dispatchEvent(new Event('pause'))
      }
    },
  )
  const tracks = [{ enabled: true, stop() {} }]
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: { getUserMedia: async () => ({ getTracks: () => tracks }) },
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'mediaDevices')
  })
  const feed = (seconds: number) =>
    deliver(new Float32Array(seconds * 44_100).map((_, at) => Math.sin(at / 20)))
  return { feed, played }
}

test('a recording is heard before it leaves, and goes on where it was', async () => {
  const { feed, played } = soundHere()
  const made = vi.spyOn(URL, 'createObjectURL')
  onTestFinished(() => made.mockRestore())
  const page = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await page.press('Gravar áudio')
  await page.find('button', 'Pausar gravação')
  await waitFor(async () => expect(await page.find('button', 'Pausar gravação')).toBeEnabled())
  feed(2)
  expect(page.maybe('button', 'Ouvir gravação')).toBeNull()
  await page.press('Pausar gravação')
  await page.press('Ouvir gravação')
  expect(played).toHaveLength(1)
  const recorded = made.mock.calls.at(-1)![0] as Blob
  expect(recorded.type).toBe('audio/mpeg')
  expect(recorded.size).toBeGreaterThan(10_000)
  await page.press('Parar de ouvir')
  await page.press('Ouvir gravação')
  await page.press('Continuar gravação')
  expect(page.maybe('button', 'Parar de ouvir')).toBeNull()
  expect(played).toMatchObject([{ paused: true }])
  feed(1)
  await page.sees('0:03')
  await page.press('Descartar gravação')
  await page.field(WRITE)
})

test('Escape discards a recording at once, also while a tooltip stands, and it can be brought back, also after a reload', async () => {
  const { feed } = soundHere()
  const page = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await page.press('Gravar áudio')
  const send = await page.find('button', 'Enviar áudio')
  await waitFor(() => expect(send).toHaveFocus())
  await page.user.hover(send)
  await page.find('tooltip')
  feed(2)
  await page.user.keyboard('{Escape}')
  await page.field(WRITE)
  await page.sees('Gravação descartada')
  await page.press('Desfazer')
  await page.find('button', 'Ouvir gravação')
  await page.sees('0:02')
  await page.find('link', /Nora Lima[\s\S]*Rascunho[\s\S]*Gravação/)
  await begunBy('2.3')
  const again = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await again.find('button', 'Ouvir gravação')
  await again.press('Continuar gravação')
  await waitFor(async () => expect(await again.find('button', 'Pausar gravação')).toBeEnabled())
  feed(1)
  await again.sees('0:03')
  await again.press('Descartar gravação')
  await again.field(WRITE)
})

test('an official number says for how long one may answer freely, until only templates are left', async () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const here = counter({ ...nora, repliesUntil: inHours(5.5) })
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees(/Responder em 5 h [23]\d/)
  here.moves(page.server, { repliesUntil: inHours(0.5) })
  await page.sees(/Responder em (29|30) min/)
  here.moves(page.server, { repliesUntil: inHours(-1) })
  await page.sees('agora só é possível enviar um modelo aprovado')
  await page.lacks('Responder em')
  const free = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await free.field(WRITE)
  await free.lacks('Responder em')
})

test('a template takes a file into its header, and what cannot be filled here says why', async () => {
  const here = counter({ ...nora, repliesUntil: '2020-01-01T12:00:00.000Z' })
  const template = {
    ...{ name: 'vitrine', language: 'pt_BR', category: 'MARKETING', status: 'APPROVED', sendable: true },
    ...{ header: '', body: 'Chegaram {{1}}', footer: '', buttons: ['Ver itens'], unfilled: '' },
    placeholders: [
      { part: 'header' as const, name: 'document', kind: 'document' as const, example: '' },
      { part: 'body' as const, name: '1', kind: 'text' as const, example: 'sofás' },
      { part: 'button' as const, name: 'Ver itens', kind: 'products' as const, example: '' },
    ],
  }
  const other = { ...template, name: 'onde', sendable: false, unfilled: 'PRODUCT', placeholders: [] }
  const sure = { placeholders: [], buttons: [] }
  const refused = { ...other, ...sure, name: 'oferta', status: 'REJECTED', reason: 'PROMOTIONAL' }
  const worn = { ...template, ...sure, name: 'cansado', quality: 'RED' }
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(cloud.templates, [template, other, refused, worn])
        .on(messages.send, ({ body }) => messageAt(5, 'Chegaram sofás', { id: body.id! })),
  })
  await page.press('Enviar modelo')
  const dialog = page.dialog()
  await dialog.sees('Não pode ser enviado daqui: cabeçalho de produto', 'Rejeitado pela Meta: é promocional')
  await dialog.sees(/qualidade Baixa/)
  expect(await dialog.find('button', /^onde/)).toBeDisabled()
  expect(await dialog.find('button', /^oferta/)).toBeDisabled()
  await dialog.press(/^vitrine/)
  await dialog.fill('Variável 1', 'sofás')
  await dialog.fill('Produtos de “Ver itens”', 'sonho, bolo')
  const send = await dialog.find('button', /^Enviar/)
  await dialog.fill('Endereço (https) do arquivo', 'https://loja.test/sofa.pdf')
  await dialog.give(new File(['x'], 'sofa.exe', { type: 'application/x-exe' }))
  await page.sees('sofa.exe não pode ser enviado: confira o tipo e o tamanho.')
  await dialog.give(new File(['x'], 'sofa.pdf', { type: 'application/pdf' }))
  await dialog.sees('sofa.pdf')
  expect(send).toBeDisabled()
  await dialog.fill('Produtos de “Ver itens”', 'Salas: sonho, bolo')
  await expect.poll(() => send.hasAttribute('disabled')).toBe(false)
  await page.user.click(send)
  await page.closed()
  expect(page.server.asked(messages.send).at(-1)?.body.template).toEqual({
    ...{ name: 'vitrine', language: 'pt_BR' },
    variables: ['', 'sofás', 'Salas: sonho, bolo'],
  })
})

test('a template is sent once, however often it is pressed and though its answer was lost', async () => {
  const here = counter({ ...nora, repliesUntil: '2020-01-01T12:00:00.000Z' })
  const template = {
    ...{ name: 'retomada', language: 'pt_BR', category: 'UTILITY', status: 'APPROVED', sendable: true },
    ...{ header: '', body: 'Podemos continuar?', footer: '', placeholders: [], buttons: [] },
  }
  const gate = Promise.withResolvers<void>()
  let isLost = true
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(cloud.templates, [template])
        .on(messages.send, async ({ body }) => {
          await gate.promise
          if (isLost) breakOff()
          return messageAt(5, 'Podemos continuar?', { id: body.id! })
        }),
  })
  await page.press('Enviar modelo')
  await page.dialog().press(/retomada/)
  const send = await page.dialog().find('button', /^Enviar/)
  await page.user.dblClick(send)
  await expect.poll(() => page.server.asked(messages.send).length).toBe(1)
  gate.resolve()
  await waitFor(() => expect(send).toBeEnabled())
  isLost = false
  fireEvent.click(send)
  await page.closed()
  const ids = page.server.asked(messages.send).map(({ body }) => body.id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})
