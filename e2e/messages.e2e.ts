import { bubbles, compose, inTouch, newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { brokenFilm, paper, picture, sound, sticker } from './samples.ts'
import { expect, test } from './world.ts'

test('a photo stands in its box, opens large, and goes back by Escape', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, { body: 'Veja só' }, [picture('sala.png')])
  await expect(bubbles(marina).filter({ hasText: 'Veja só' }).locator('img')).toBeVisible()
  await marina.getByRole('button', { name: 'Abrir sala.png' }).click()
  await expect(marina.getByRole('dialog', { name: 'sala.png' })).toBeVisible()
  await expectAccessible(marina)
  await marina.keyboard.press('Escape')
  await expect(marina.getByRole('dialog')).toBeHidden()
  await expect(marina.getByRole('button', { name: 'Abrir sala.png' })).toBeFocused()
})

test('a sound plays at the speed chosen, and the speed is remembered', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, {}, [sound()])
  await marina.getByRole('button', { name: 'Reproduzir', exact: true }).click()
  await expect(marina.getByRole('button', { name: 'Pausar' })).toBeVisible()
  await marina.getByRole('button', { name: 'Velocidade 1×' }).click()
  await expect(marina.getByRole('button', { name: 'Velocidade 1,5×' })).toBeVisible()
  await marina.reload()
  await expect(marina.getByRole('button', { name: 'Velocidade 1,5×' })).toBeVisible()
})

test('a document is saved under its own name', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, {}, [paper('Nota fiscal.pdf')])
  const saved = marina.waitForEvent('download')
  await marina.getByRole('button', { name: 'Baixar Nota fiscal.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('Nota fiscal.pdf')
})

test('a film that cannot be shown says so in its box', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, {}, [brokenFilm()])
  await marina.getByRole('button', { name: 'Reproduzir vídeo' }).click()
  await expect(marina.getByText('Não foi possível carregar o preview')).toBeVisible()
})

test('a place, a card, a sticker and a missed call are shown as what they are, or say that they cannot be', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, { location: { latitude: -12.9969, longitude: -38.4529, name: 'Pituba' } })
  await phone.send(number, { contacts: [{ name: 'Paulo Encanador', number: '5571988881234' }] })
  await phone.send(number, { isSticker: true }, [sticker()])
  await phone.send(number, { mediaType: 'call_log' })
  await phone.write(number, 'שלום, מה שלומך?')
  await expect(bubbles(marina).getByText('שלום')).toHaveCSS('direction', 'rtl')
  await expect(bubbles(marina).filter({ hasText: 'Pituba' }).getByRole('link')).toHaveAttribute(
    'href',
    /openstreetmap\.org.*-12\.9969/,
  )
  await expect(bubbles(marina).filter({ hasText: 'Paulo Encanador' })).toContainText('+55 71 98888-1234')
  await expect(marina.getByRole('img', { name: 'Figurinha' })).toBeVisible()
  await expect(marina.getByText(/Chamada de voz\/vídeo perdida às \d\d:\d\d/)).toBeVisible()
  await phone.send(number, { mediaType: 'location' })
  await phone.send(number, { mediaType: 'vcard' })
  await expect(bubbles(marina).getByText('Erro ao renderizar a localização')).toBeVisible()
  await expect(
    bubbles(marina).getByText('Cartão de contato não suportado, ou não possui whatsapp...'),
  ).toBeVisible()
  await expectAccessible(marina)
})

test('from a card one begins to talk with that person', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  const friend = newNumber()
  await phone.send(number, { contacts: [{ name: 'Amiga Nova', number: friend }] })
  await marina.getByRole('button', { name: 'Conversar com Amiga Nova' }).click()
  const dialog = marina.getByRole('dialog')
  await expect(dialog.getByLabel('Contato')).toHaveValue('Amiga Nova')
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(marina.getByRole('heading', { name: 'Amiga Nova' })).toBeVisible()
})

test('what the customer changes, deletes and reacts to is seen at once; a deletion stays on the screen as a notice', async ({
  people,
  phone,
}) => {
  const { marina, number, name, firstId } = await inTouch(people, phone)
  await phone.edit(number, firstId, 'Olá, bom dia!')
  await expect(bubbles(marina).filter({ hasText: 'Olá, bom dia!' })).toContainText('editada')
  await compose(marina).fill('Em que posso ajudar?')
  await marina.keyboard.press('Enter')
  await expect.poll(async () => (await phone.chat(number)).length).toBe(2)
  const ours = (await phone.chat(number)).find(({ fromMe }) => fromMe)!
  await phone.react(number, ours.id, '👍')
  await expect(marina.getByRole('button', { name: /Reações: 👍/ })).toBeVisible()
  await phone.remove(number, firstId)
  await expect(bubbles(marina).filter({ hasText: 'Mensagem apagada pelo contato' })).toBeVisible()
  await expect(marina.getByText(`Uma mensagem da conversa com ${name} foi apagada`)).toBeVisible()
})

test('an attendant changes, reacts to and deletes; the customer’s phone follows', async ({
  people,
  phone,
}) => {
  const { marina, number, firstId } = await inTouch(people, phone)
  const theirs = bubbles(marina).filter({ hasText: 'Olá!' })
  // the notice stands over the bubble, and stays as long as the mouse is on it
  await marina.getByRole('button', { name: 'Fechar' }).click()
  await theirs.hover()
  await marina.getByRole('button', { name: 'Reagir' }).first().click()
  await marina.getByRole('button', { name: '❤️' }).click()
  await expect
    .poll(async () => (await phone.chat(number)).find(({ id }) => id === firstId)?.reactions)
    .toEqual([{ emoji: '❤️', fromMe: true }])
  await compose(marina).fill('Abrimos às 9')
  await marina.keyboard.press('Enter')
  const ours = bubbles(marina).filter({ hasText: 'Abrimos às' })
  await expect(ours.locator('[data-ack="2"]')).toBeVisible()
  const act = async (name: string) => {
    await ours.hover()
    await marina.getByRole('button', { name: 'Ações da mensagem' }).last().click()
    await marina.getByRole('menuitem', { name }).click()
  }
  await act('Editar')
  await marina.getByRole('dialog').getByRole('textbox').fill('Abrimos às 8')
  await marina.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.body).toBe('Abrimos às 8')
  await act('Apagar para todos')
  await marina.getByRole('dialog').getByRole('button', { name: 'Apagar para todos' }).click()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.isDeleted).toBe(true)
  await expect(bubbles(marina).filter({ hasText: 'Mensagem apagada' })).toBeVisible()
  // of one's own deletion nobody needs to be told
  await expect(marina.getByText(/foi apagada$/)).toHaveCount(0)
})

test('a message that is taken back before it left is gone from a colleague’s screen at once (LIVE-014)', async ({
  people,
  phone,
}) => {
  const { marina, name } = await inTouch(people, phone)
  const helena = await people.admin({ at: new URL(marina.url()).pathname })
  await expect(helena.getByRole('heading', { name })).toBeVisible()
  await phone.fault('offline')
  await compose(marina).fill('Foi um engano')
  await marina.keyboard.press('Enter')
  const ours = bubbles(marina).filter({ hasText: 'Foi um engano' })
  const seen = bubbles(helena).filter({ hasText: 'Foi um engano' })
  await expect(seen).toBeVisible()
  await ours.hover()
  await marina.getByRole('button', { name: 'Ações da mensagem' }).last().click()
  await marina.getByRole('menuitem', { name: 'Apagar para todos' }).click()
  await marina.getByRole('dialog').getByRole('button', { name: 'Apagar para todos' }).click()
  await expect(seen).toHaveCount(0)
  await expect(ours).toHaveCount(0)
  await expect(bubbles(helena).filter({ hasText: 'Olá!' })).toBeVisible()
  await phone.fault('none')
})

test('a message that waits for WhatsApp has one check; a deletion that WhatsApp refuses is told', async ({
  people,
  phone,
}) => {
  const { marina } = await inTouch(people, phone)
  await phone.fault('offline')
  await compose(marina).fill('Vai quando der')
  await marina.keyboard.press('Enter')
  const ours = bubbles(marina).filter({ hasText: 'Vai quando der' })
  await expect(
    ours.getByRole('img', { name: 'Na fila de envio' }).locator('.tabler-icon-check'),
  ).toBeVisible()
  await phone.fault('none')
  await expect(ours.locator('[data-ack="2"]')).toBeVisible()
  await phone.fault('reject')
  await ours.hover()
  await marina.getByRole('button', { name: 'Ações da mensagem' }).last().click()
  await marina.getByRole('menuitem', { name: 'Apagar para todos' }).click()
  await marina.getByRole('dialog').getByRole('button', { name: 'Apagar para todos' }).click()
  await expect(marina.getByText('A mensagem não pôde ser apagada')).toBeVisible()
  await phone.fault('none')
})

test('files are chosen, shown before they leave, and arrive one message each under one caption', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.locator('[data-attach]').setInputFiles([picture('a.png'), paper('b.pdf')])
  const tray = marina.getByRole('list', { name: 'Arquivos a enviar' })
  await expect(tray.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(marina)
  await compose(marina).fill('Segue tudo')
  await marina.keyboard.press('Enter')
  await expect(tray).toBeHidden()
  await expect
    .poll(async () =>
      (await phone.chat(number)).filter(({ fromMe }) => fromMe).map(one => [one.mediaType, one.body]),
    )
    .toEqual([
      ['image', 'Segue tudo'],
      ['document', ''],
    ])
  await expect(bubbles(marina).locator('[data-ack="2"]')).toHaveCount(2)
})

test('a WebP leaves as a sticker when one wishes so; the words go behind it', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.locator('[data-attach]').setInputFiles([sticker(), picture('foto.png')])
  await expect(marina.getByRole('button', { name: 'Enviar foto.png como figurinha' })).toBeHidden()
  await marina.getByRole('button', { name: 'Remover foto.png' }).click()
  const wish = marina.getByRole('button', { name: 'Enviar oi.webp como figurinha' })
  await wish.click()
  await expect(wish).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(marina)
  await compose(marina).fill('Gostou?')
  await marina.keyboard.press('Enter')
  await expect
    .poll(async () =>
      (await phone.chat(number)).filter(({ fromMe }) => fromMe).map(one => [one.mediaType, one.body]),
    )
    .toEqual([
      ['sticker', ''],
      [null, 'Gostou?'],
    ])
  await expect(bubbles(marina).getByRole('img', { name: 'Figurinha' })).toBeVisible()
})

test('a file that may not be sent is refused in words before it leaves', async ({ people, phone }) => {
  const { marina } = await inTouch(people, phone)
  const script = { name: 'virus.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }
  await marina.locator('[data-attach]').setInputFiles([script])
  await expect(marina.getByText('virus.exe: este tipo de arquivo não é aceito')).toBeVisible()
  const broken = { name: 'quebrada.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG nada disso') }
  await marina.locator('[data-attach]').setInputFiles([broken])
  await expect(marina.getByText('quebrada.png não pôde ser lida: a imagem está danificada')).toBeVisible()
  await expect(marina.getByRole('list', { name: 'Arquivos a enviar' })).toBeHidden()
})

test('a file that the server refuses stays in its place and is sent again as one message', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.route('**/messages/*/*', (route, request) =>
    request.method() === 'POST'
      ? route.fulfill({ status: 400, json: { error: 'ERR_FILE_TYPE' } })
      : route.fallback(),
  )
  await marina.locator('[data-attach]').setInputFiles([picture('c.png')])
  await marina.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(marina.getByRole('alert')).toContainText('Não enviada')
  await marina.unroute('**/messages/*/*')
  await marina.getByRole('button', { name: 'Reenviar' }).click()
  await expect(marina.getByRole('alert')).toBeHidden()
  await expect.poll(async () => (await phone.chat(number)).filter(({ fromMe }) => fromMe).length).toBe(1)
})

test('each side sees the other write', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.type(number, 'composing')
  await expect(marina.getByText('digitando…')).toBeVisible()
  await phone.type(number, 'paused')
  await expect(marina.getByText('digitando…')).toBeHidden()
})

test('a word far back is found and its place is shown', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.write(number, 'a palavra é jabuticaba')
  for (let at = 0; at < 60; at++) await phone.write(number, `linha ${at}`)
  await expect(bubbles(marina).filter({ hasText: 'linha 59' })).toBeVisible()
  await marina.reload()
  await marina.getByRole('button', { name: 'Buscar nesta conversa' }).click()
  await marina.getByRole('textbox', { name: 'Buscar nesta conversa' }).fill('jabu')
  await marina.getByRole('textbox', { name: 'Buscar nesta conversa' }).fill('jabuticaba')
  await marina.getByRole('search').getByRole('button', { name: 'Buscar', exact: true }).click()
  await marina.getByRole('list', { name: 'Mensagens encontradas' }).getByRole('button').first().click()
  await expect(bubbles(marina).filter({ hasText: 'jabuticaba' })).toBeInViewport()
})

test('a contact is sent as a card', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.getByRole('button', { name: 'Enviar contato' }).click()
  const dialog = marina.getByRole('dialog')
  await dialog.getByRole('checkbox').first().check()
  await expectAccessible(marina)
  await dialog.getByRole('button', { name: 'Enviar 1 contato' }).click()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.mediaType).toBe('vcard')
})

test('an emoji is put where one writes, sixteen a line', async ({ people, phone }) => {
  const { marina } = await inTouch(people, phone)
  await compose(marina).fill('Oi ')
  await marina.getByRole('button', { name: 'Emojis' }).click()
  await marina.getByRole('textbox', { name: 'Buscar emoji' }).fill('obrig')
  await expect(marina.getByRole('button', { name: '🙏' })).toBeVisible()
  await expect(marina.getByRole('button', { name: '😀' })).toHaveCount(0)
  await marina.getByRole('textbox', { name: 'Buscar emoji' }).fill('')
  await expect(marina.getByRole('button', { name: '😀' })).toBeVisible()
  const tops = await marina
    .getByRole('region', { name: 'Rostos' })
    .getByRole('button')
    .evaluateAll(all => all.map(one => (one as HTMLElement).offsetTop))
  expect(tops.filter(top => top === tops[0])).toHaveLength(16)
  await expectAccessible(marina)
  await marina.getByRole('button', { name: '😀' }).click()
  await expect(compose(marina)).toHaveValue('Oi 😀')
})

test('a voice message is recorded, leaves as MP3 and plays on the customer’s phone', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.context().grantPermissions(['microphone'])
  await marina.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(marina.getByRole('group', { name: 'Gravando' })).toContainText(/0:(0[1-9]|[1-5]\d)/)
  await marina.getByRole('button', { name: 'Pausar gravação' }).click()
  await expectAccessible(marina)
  await marina.getByRole('button', { name: 'Enviar áudio' }).click()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.media?.type).toBe('audio/mpeg')
  const [sent] = (await phone.chat(number)).slice(-1)
  expect(sent?.media?.isVoice).toBe(true)
  expect(sent?.media?.size).toBeGreaterThan(10_000)
  await expect(compose(marina)).toBeVisible()
})

test('a touch of the button is no recording, and Escape throws one away', async ({ people, phone }) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.context().grantPermissions(['microphone'])
  // pressed in the page, before half a second is heard
  await marina.evaluate(() => {
    new MutationObserver((_, observer) => {
      const send = document.querySelector<HTMLElement>('[aria-label="Enviar áudio"]:enabled')
      if (!send) return
      observer.disconnect()
      send.click()
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await marina.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(marina.getByText('Áudio muito curto, descartado')).toBeVisible()
  await expect(compose(marina)).toBeVisible()
  await marina.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(marina.getByRole('button', { name: 'Enviar áudio' })).toBeFocused()
  await marina.keyboard.press('Escape')
  await expect(compose(marina)).toBeVisible()
  expect((await phone.chat(number)).filter(({ fromMe }) => fromMe)).toEqual([])
})
