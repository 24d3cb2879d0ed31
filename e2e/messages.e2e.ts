import { bubbles, compose, inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { brokenFilm, paper, picture, sound, sticker } from './samples.ts'
import { expect, test } from './world.ts'

test('what a customer sends is opened large and goes back by Escape, is heard at a speed that is remembered, saved under its name, or says that it cannot be shown [MSG-004, MSG-005, MSG-014, MSG-017]', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await phone.send(number, { body: 'Veja só' }, [picture('sala.png')])
  await phone.send(number, { isSticker: true }, [sticker()])
  await phone.send(number, {}, [sound()])
  await phone.send(number, {}, [paper('Nota fiscal.pdf')])
  await phone.write(number, 'שלום, מה שלומך?')
  await expect(bubbles(marina).filter({ hasText: 'Veja só' }).locator('img')).toBeVisible()
  await expect(marina.getByRole('img', { name: 'Figurinha' })).toBeVisible()
  await expect(bubbles(marina).getByText('שלום')).toHaveCSS('direction', 'rtl')
  await marina.getByRole('button', { name: 'Abrir sala.png' }).click()
  await expect(marina.getByRole('dialog', { name: 'sala.png' })).toBeVisible()
  await expectAccessible(marina)
  await marina.keyboard.press('Escape')
  await expect(marina.getByRole('dialog')).toBeHidden()
  await expect(marina.getByRole('button', { name: 'Abrir sala.png' })).toBeFocused()

  await phone.send(number, {}, [brokenFilm()])
  await marina.getByRole('button', { name: 'Reproduzir vídeo' }).click()
  await expect(marina.getByText('Não foi possível carregar o preview')).toBeVisible()
  const saved = marina.waitForEvent('download')
  await marina.getByRole('button', { name: 'Baixar Nota fiscal.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('Nota fiscal.pdf')

  await marina.getByRole('button', { name: 'Reproduzir', exact: true }).click()
  await expect(marina.getByRole('button', { name: 'Pausar' })).toBeVisible()
  await marina.getByRole('button', { name: 'Velocidade 1×' }).click()
  await expect(marina.getByRole('button', { name: 'Velocidade 1,5×' })).toBeVisible()
  await marina.reload()
  await expect(marina.getByRole('button', { name: 'Velocidade 1,5×' })).toBeVisible()
})

test('an attendant changes, reacts to and deletes; the customer’s phone follows, and so does a colleague’s screen, also with what never left (LIVE-014) [LIVE-014, MSG-015]', async ({
  people,
  phone,
}) => {
  const { marina, number, name, firstId } = await inTouch(people, phone)
  const helena = await people.admin({ at: new URL(marina.url()).pathname })
  await expect(helena.getByRole('heading', { name })).toBeVisible()
  const seen = (words: string) => bubbles(helena).filter({ hasText: words })
  const theirs = bubbles(marina).filter({ hasText: 'Olá!' })
  await theirs.hover()
  await marina.getByRole('button', { name: 'Reagir' }).first().click()
  await marina.getByRole('button', { name: '❤️' }).click()
  await expect
    .poll(async () => (await phone.chat(number)).find(({ id }) => id === firstId)?.reactions)
    .toEqual([{ emoji: '❤️', fromMe: true }])
  await compose(marina).fill('Abrimos às 9')
  await marina.keyboard.press('Enter')
  let ours = bubbles(marina).filter({ hasText: 'Abrimos às' })
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
  await expect(seen('Abrimos às 8')).toContainText('editada')
  await act('Apagar para todos')
  await marina.getByRole('dialog').getByRole('button', { name: 'Apagar para todos' }).click()
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.isDeleted).toBe(true)
  await expect(bubbles(marina).filter({ hasText: 'Mensagem apagada' })).toBeVisible()
  // the user's own deletion raises no notification
  await expect(marina.getByText(/foi apagada$/)).toHaveCount(0)
  await expect(seen('Mensagem apagada')).toBeVisible()

  // deleted before it was sent
  await phone.fault('offline')
  await compose(marina).fill('Foi um engano')
  await marina.keyboard.press('Enter')
  ours = bubbles(marina).filter({ hasText: 'Foi um engano' })
  await expect(seen('Foi um engano')).toBeVisible()
  await act('Apagar para todos')
  await marina.getByRole('dialog').getByRole('button', { name: 'Apagar para todos' }).click()
  await expect(seen('Foi um engano')).toHaveCount(0)
  await expect(ours).toHaveCount(0)
  await expect(seen('Olá!')).toBeVisible()
  await phone.fault('none')
})

test('files are chosen, shown before they leave, and arrive one message each under one caption; a WebP as a sticker, a broken one not at all [MSG-020, MSG-021, MSG-022]', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  const tray = marina.getByRole('list', { name: 'Arquivos a enviar' })
  const arrived = async () =>
    (await phone.chat(number)).filter(({ fromMe }) => fromMe).map(one => [one.mediaType, one.body])
  const broken = { name: 'quebrada.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG nada disso') }
  await marina.locator('[data-attach]').setInputFiles([broken])
  await expect(marina.getByText('quebrada.png não pôde ser lida: a imagem está danificada')).toBeVisible()
  await expect(tray).toBeHidden()

  await marina.locator('[data-attach]').setInputFiles([picture('a.png'), paper('b.pdf')])
  await expect(tray.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(marina)
  // an emoji is put where one writes, from sixteen a line
  await compose(marina).fill('Segue tudo ')
  await marina.getByRole('button', { name: 'Emojis' }).click()
  const tops = marina.getByRole('region', { name: 'Rostos' }).getByRole('button')
  await expect(tops.first()).toBeVisible()
  const rows = await tops.evaluateAll(all => all.map(one => (one as HTMLElement).offsetTop))
  expect(rows.filter(top => top === rows[0])).toHaveLength(16)
  await marina.getByRole('button', { name: '😀' }).click()
  await expect(compose(marina)).toHaveValue('Segue tudo 😀')
  await marina.getByRole('button', { name: 'Emojis' }).click()
  await compose(marina).press('Enter')
  await expect(tray).toBeHidden()
  const first = [
    ['image', 'Segue tudo 😀'],
    ['document', ''],
  ]
  await expect.poll(arrived).toEqual(first)
  await expect(bubbles(marina).locator('[data-ack="2"]')).toHaveCount(2)

  await marina.locator('[data-attach]').setInputFiles([sticker(), picture('foto.png')])
  await expect(marina.getByRole('button', { name: 'Enviar foto.png como figurinha' })).toBeHidden()
  await marina.getByRole('button', { name: 'Remover foto.png' }).click()
  const wish = marina.getByRole('button', { name: 'Enviar oi.webp como figurinha' })
  await wish.click()
  await expect(wish).toHaveAttribute('aria-pressed', 'true')
  await compose(marina).fill('Gostou?')
  await marina.keyboard.press('Enter')
  await expect.poll(arrived).toEqual([...first, ['sticker', ''], [null, 'Gostou?']])

  // what the server refuses stays in its place, and is sent again as one message
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
  await expect.poll(async () => (await arrived()).length).toBe(5)
})

test('a touch of the button is no recording and Escape throws one away; a voice message leaves as MP3 and plays on the customer’s phone [MSG-023, MSG-031, MSG-032, MSG-033, MSG-034, OP-81]', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.context().grantPermissions(['microphone'])
  // clicked by script, before half a second is recorded
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
