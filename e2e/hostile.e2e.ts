import type { Page } from '@playwright/test'
import {
  archiveBomb,
  BODIES,
  type HostileFile,
  NAMES,
  pictureBomb,
  RUNNING,
  VCARDS,
} from '../apps/server/testing/hostile.ts'
import { bubbles, compose, newNumber } from './conversation.ts'
import { type Phone, simulatedPhone } from './phone.ts'
import { connect, expect, test } from './whatsapp.ts'

const SHOP = newNumber()
const narrow = { viewport: { width: 390, height: 780 } }

/** No script ran, no request left, nothing overflows. Violations of the CSP are reported when people leave. */
async function expectUnharmed(page: Page, what: string) {
  const found = await page.evaluate(() => ({
    hit: '__hit' in window,
    foreign: document.querySelectorAll(
      'script:not([src]), iframe, object, embed, svg script, [onload], [onerror]',
    ).length,
    led: [...document.links]
      .filter(({ protocol }) => !/^(https?|blob):$/.test(protocol))
      .map(({ href }) => href),
    beyond: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  }))
  expect(found, what).toEqual({ hit: false, foreign: 0, led: [], beyond: 0 })
}

/** Messages per batch: few enough to fit on the screen together. */
const HANDFUL = 4

/** Looks, with a mark that is written behind them, after each handful of what is sent. */
function inHandfuls(look: (what: string, mark: string) => Promise<void>) {
  let sent: string[] = []
  let marks = 0
  const now = async () => {
    const what = sent.join(' | ')
    sent = []
    await look(what, `marca ${++marks}`)
  }
  return {
    now,
    async after(what: string) {
      sent.push(what)
      if (sent.length === HANDFUL) await now()
    },
  }
}

/** A page that notices whatever opens a dialog or another window. */
async function watched(page: Page) {
  const opened: string[] = []
  page.on('dialog', dialog => {
    opened.push(dialog.message())
    void dialog.dismiss()
  })
  page.context().on('page', other => opened.push(other.url()))
  return opened
}

/** Opens a waiting ticket and attends it. */
async function attend(page: Page, words: string) {
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  const row = page.locator('[data-ticket]').filter({ hasText: words })
  await expect(row).toBeVisible()
  await row.click()
  await page.getByRole('button', { name: 'Aceitar' }).first().click()
  await page.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await expect(compose(page)).toBeVisible()
}

/** The response to a file of a message, requested by its address with the session of the page. */
const answered = (page: Page, mediaUrl: string): Promise<Record<string, unknown>> =>
  page.evaluate(async url => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    const { status, headers: said } = await fetch(url, { headers })
    const named = ['content-disposition', 'content-security-policy', 'content-type', 'x-content-type-options']
    return { status, ...Object.fromEntries(named.map(name => [name, said.get(name)])) }
  }, mediaUrl)

const saved = {
  status: 200,
  'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''[\w.%-]+$/),
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

test('whatever a customer’s WhatsApp sends is shown as text or kept as a file, and nothing of it runs', async ({
  people,
  product,
  whatsapp,
}) => {
  test.setTimeout(240_000)
  const helena = await people.admin()
  const owner = await whatsapp.addPhone(SHOP, { name: 'Lume Aberta' })
  await connect(helena, 'Aberta', owner)
  const eva = await whatsapp.addPhone(newNumber(), { name: '"><img src=x onerror=window.__hit=1>\u202Eavê' })
  await eva.write(SHOP, 'sou eu')
  const marina = await people.attendant(narrow)
  const opened = [await watched(marina), await watched(helena)]
  await attend(marina, 'sou eu')
  await helena.goto('/tickets')
  await helena.getByRole('switch', { name: 'Todos' }).click()
  const row = helena.locator('[data-ticket]').filter({ hasText: 'onerror=window.__hit=1' })

  const look = inHandfuls(async (what, mark) => {
    await eva.write(SHOP, mark)
    await expect(bubbles(marina), what).not.toHaveCount(0)
    await expect(marina.getByRole('log').getByText(mark, { exact: true }), what).toBeVisible()
    await expect(row, what).toContainText(mark)
    for (const page of [marina, helena]) await expectUnharmed(page, what)
  })
  const send = async (what: string, message: Parameters<typeof eva.send>[1]) => {
    await eva.send(SHOP, message)
    await look.after(what)
  }

  for (const body of BODIES) await send(body.slice(0, 60), { conversation: body })
  for (const vcard of VCARDS)
    await send(vcard.slice(0, 60), {
      contactMessage: { displayName: vcard.slice(0, 300), vcard: vcard.slice(0, 60_000) },
    })
  for (const name of NAMES)
    await send(name.slice(0, 60), {
      locationMessage: {
        degreesLatitude: 1,
        degreesLongitude: 2,
        name: name.slice(0, 5_000),
        address: name.slice(0, 5_000),
        url: 'javascript:window.__hit=1',
      },
    })
  for (const [matchedText, title] of [
    ['javascript:window.__hit=1', 'clique'],
    ['https://a.test', BODIES[1]!],
    ['https://a.test/\u202Efdp.exe', 'a'.repeat(5_000)],
  ] as const)
    await send(matchedText, {
      extendedTextMessage: { text: matchedText, matchedText, title, description: title },
    })
  await send('choices', {
    pollCreationMessage: {
      name: BODIES[0]!,
      options: NAMES.map(optionName => ({ optionName: optionName.slice(0, 1_000) })),
    },
  })

  for (const { name, type: mimetype, bytes } of [...RUNNING, archiveBomb()]) {
    for (const content of [
      { document: bytes, fileName: name, mimetype },
      { image: bytes, caption: name, mimetype },
    ]) {
      await eva.write(SHOP, content)
      await look.after(`${name} as ${mimetype}`)
    }
  }
  await look.now()
  // a file comes after its message
  await expect.poll(async () => (await filesOf(marina)).length).toBe(2 * (RUNNING.length + 1))
  const files = await filesOf(marina)
  for (const { mediaUrl } of files) expect(await answered(marina, mediaUrl)).toMatchObject(saved)
  for (const { mediaUrl } of files)
    expect((await answered(marina, mediaUrl))['content-type']).toMatch(
      /^application\/(octet-stream|zip)$|^text\/plain/,
    )

  const download = marina.waitForEvent('download')
  await marina.getByRole('button', { name: /^Baixar planilha/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^planilha\./)
  expect(opened.flat()).toEqual([])
  expect((await fetch(`${product.url}/health`)).status).toBe(200)
})

/** The files of the conversation that a page shows, by the API. */
const filesOf = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    const all: { mediaUrl: string }[] = []
    for (let pageNumber = 1; ; pageNumber++) {
      const answer = await fetch(
        `${location.pathname.replace('tickets', 'messages')}?pageNumber=${pageNumber}`,
        { headers },
      )
      const { messages, hasMore } = await answer.json()
      all.push(...messages.filter(({ mediaUrl }: { mediaUrl: string | null }) => mediaUrl))
      if (!hasMore) return all
    }
  })

test('what the simulated phone sends is no more dangerous; a picture too large to draw leaves the page alive', async ({
  people,
  product,
}) => {
  test.setTimeout(180_000)
  const phone = await simulatedPhone(product.url)
  const number = newNumber()
  await phone.write(number, 'oi do simulador', '<b onmouseover=window.__hit=1>Ivo</b>\u202E')
  const marina = await people.attendant(narrow)
  const opened = await watched(marina)
  await attend(marina, 'oi do simulador')
  const look = inHandfuls(async (what, mark) => {
    await phone.write(number, mark)
    await expect(marina.getByRole('log').getByText(mark, { exact: true }), what).toBeVisible()
    await expectUnharmed(marina, what)
  })
  for (const body of BODIES) {
    await phone.write(number, body)
    await look.after(body.slice(0, 60))
  }
  // what the database cannot keep is refused at the door
  const names = NAMES.map(name => name.slice(0, 100)).filter(name => name !== '')
  const kept = names.filter(name => !name.includes('\0') && name.isWellFormed())
  for (const name of names.filter(name => !kept.includes(name)))
    await expect(phone.write(number, name)).rejects.toThrow(/answers 400/)
  for (const name of kept) {
    await phone.send(number, { location: { latitude: 90, longitude: -180, name, address: name } })
    await phone.send(number, { contacts: [{ name, number: '5511999990000' }] })
    await phone.send(number, { mediaType: name.slice(0, 50) })
    await look.after(name.slice(0, 60))
  }
  await look.now()
  for (const file of RUNNING) expect(await refused(phone, number, file), file.name).toMatch(/415|400/)
  await phone.send(number, {}, [sample(archiveBomb())])
  await phone.send(number, {}, [sample(pictureBomb())])
  await look.now()
  await expect(
    marina
      .getByText('Não foi possível carregar o preview')
      .or(marina.getByRole('button', { name: 'Abrir panorama.png' }))
      .or(marina.getByRole('button', { name: 'Baixar panorama.png' }))
      .first(),
  ).toBeVisible()
  await compose(marina).fill('Recebi, obrigada.')
  await marina.keyboard.press('Enter')
  await expect.poll(async () => (await phone.chat(number)).at(-1)?.body).toBe('Recebi, obrigada.')
  await expectUnharmed(marina, 'after all')
  expect(opened).toEqual([])
})

const sample = ({ name, type, bytes }: HostileFile) => ({ name, mimeType: type, buffer: bytes })
const refused = (phone: Phone, number: string, file: HostileFile) =>
  phone.send(number, {}, [sample(file)]).then(
    () => 'taken',
    error => String(error),
  )
