import type { Page } from '@playwright/test'
import { bubbles, compose, inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { film, paper, picture, sound, thickPaper } from './samples.ts'
import { expect, test } from './world.ts'

const tray = (page: Page) => page.getByRole('list', { name: 'Arquivos a enviar' })

test('a film shows its first picture, a voice note its wave, before they are asked to play; one that is chosen comes to the customer as it is [MSG-006]', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  const recorded = await film(marina)
  await phone.send(number, { body: 'Olha o passeio' }, [recorded])
  const bubble = bubbles(marina).filter({ hasText: 'Olha o passeio' })
  const poster = bubble.getByRole('button', { name: 'Reproduzir vídeo' })
  await expect
    .poll(() => poster.locator('video').evaluate((it: HTMLVideoElement) => [it.videoWidth, it.paused]))
    .toEqual([160, true])
  await phone.send(number, { isVoice: true }, [sound()])
  await expect(bubbles(marina).last().locator('[data-wave] span[style*=height]').nth(20)).toBeVisible()
  await poster.click()
  const shown = () =>
    bubble.locator('video').evaluate(({ videoWidth, videoHeight, currentTime }: HTMLVideoElement) => ({
      size: [videoWidth, videoHeight],
      moves: currentTime > 0.2,
    }))
  await expect.poll(shown).toEqual({ size: [160, 120], moves: true })

  await marina.locator('[data-attach]').setInputFiles([recorded])
  await marina.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect
    .poll(async () => (await phone.chat(number)).at(-1)?.media)
    .toMatchObject({ type: 'video/webm', size: recorded.buffer.length })
  await expect(bubbles(marina).last().getByRole('button', { name: 'Reproduzir vídeo' })).toBeVisible()
})

test('a picture is pasted from the clipboard and sent; files are dropped on the composer, which says so while they are over it', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  await marina.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await marina.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    const png = new Blob([bytes], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
  }, picture().buffer.toString('base64'))
  await compose(marina).focus()
  await marina.keyboard.press('Control+V')
  await expect(tray(marina).getByRole('listitem')).toHaveCount(1)
  await expect(compose(marina)).toHaveValue('')
  await marina.keyboard.type('Colei aqui')
  await marina.keyboard.press('Enter')
  await expect
    .poll(async () => (await phone.chat(number)).at(-1))
    .toMatchObject({ fromMe: true, mediaType: 'image', body: 'Colei aqui' })

  const dataTransfer = await marina.evaluateHandle(
    ({ name, mimeType, base64 }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: mimeType }))
      return data
    },
    { ...paper('contrato.pdf'), base64: paper().buffer.toString('base64') },
  )
  const composer = marina.locator('form', { has: compose(marina) })
  const over = marina.getByText('Solte para anexar')
  await composer.dispatchEvent('dragover', { dataTransfer })
  await expect(over).toBeVisible()
  await composer.dispatchEvent('dragleave', { dataTransfer })
  await expect(over).toBeHidden()
  await composer.dispatchEvent('dragover', { dataTransfer })
  await composer.dispatchEvent('drop', { dataTransfer })
  await expect(over).toBeHidden()
  await expect(tray(marina).getByText('contrato.pdf')).toBeVisible()
  await marina.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect
    .poll(async () => (await phone.chat(number)).at(-1)?.media)
    .toMatchObject({ name: 'contrato.pdf', type: 'application/pdf' })
})

test('an upload under way shows how much left, and is called off without a trace', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  const line = await marina.context().newCDPSession(marina)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 }
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', slow)
  await marina.locator('[data-attach]').setInputFiles([thickPaper('planta.pdf', 3_000_000)])
  await marina.getByRole('button', { name: 'Enviar', exact: true }).click()
  const progress = marina.getByRole('log').getByRole('progressbar')
  await expect
    .poll(() => progress.evaluate(({ value }: HTMLProgressElement) => value > 0 && value < 100))
    .toBe(true)
  await expectAccessible(marina)
  await marina.getByRole('button', { name: 'Cancelar envio de planta.pdf' }).click()
  await expect(bubbles(marina).filter({ hasText: 'planta.pdf' })).toBeHidden()
  await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
  await compose(marina).fill('Depois eu mando')
  await marina.keyboard.press('Enter')
  const ours = async () => (await phone.chat(number)).filter(({ fromMe }) => fromMe).map(({ body }) => body)
  await expect.poll(ours).toEqual(['Depois eu mando'])
  await marina.reload()
  await expect(bubbles(marina).filter({ hasText: 'Depois eu mando' })).toBeVisible()
  await expect(bubbles(marina)).toHaveCount(2)
})
