import type { Page } from '@playwright/test'
import { bubbles, inTouch, newNumber, say, sentBy, texts } from './conversation.ts'
import { peopleOf } from './people.ts'
import { simulatedPhone } from './phone.ts'
import { ownPostgres } from './postgres.ts'
import { expect, startTestApp, test } from './world.ts'

/** For rows that moved meanwhile; relative times differ on each screen. */
const rows = (page: Page) =>
  page
    .locator('[data-ticket]')
    .evaluateAll(all => all.map(row => (row.textContent ?? '').replace(/agora|há \d+ \S+|\d+ min/g, '')))

test('the database ends while people work: when it is back their screens are right by themselves, and nothing is lost', async ({
  browser,
}, info) => {
  info.setTimeout(600_000)
  const postgres = await ownPostgres()
  const world = await startTestApp({
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a',
  })
  const people = peopleOf(browser, world.url)
  try {
    const phone = await simulatedPhone(world.url)
    const { marina, number } = await inTouch(people, phone)
    const helena = await people.admin()
    await helena.getByRole('tab', { name: /Aguardando/ }).click()
    for (const page of [marina, helena])
      await page.evaluate(() => document.body.setAttribute('data-same', ''))

    // under load: of some it is unknown whether they were stored, and none was acknowledged
    const crowd = Array.from({ length: 20 }, (_, place) =>
      phone.write(number, `aperto ${place}`).then(
        () => true,
        () => false,
      ),
    )
    await Promise.race(crowd)
    postgres.goAway()
    await Promise.all(crowd)
    await say(marina, 'na queda')
    await expect(
      bubbles(marina).filter({ hasText: 'na queda' }).getByRole('img', { name: 'Enviando' }),
    ).toBeVisible()
    // her line breaks too, and is back before the database
    const knocks = helena.waitForEvent('websocket', { timeout: 60_000 })
    await helena.context().setOffline(true)
    await expect(helena.getByText('Sem conexão. Você pode continuar escrevendo.')).toBeVisible()
    await helena.context().setOffline(false)
    await knocks
    await expect(phone.write(number, 'alô?')).rejects.toThrow('503')

    await postgres.comeBack()
    const other = newNumber()
    await expect(async () => void (await phone.write(other, 'Voltaram?', 'Teresa'))).toPass({
      timeout: 60_000,
    })
    await expect(helena.locator('[data-ticket]').filter({ hasText: 'Voltaram?' })).toBeVisible()
    await expect(bubbles(marina).filter({ hasText: 'na queda' }).locator('[data-ack="2"]')).toBeVisible()
    expect(await sentBy(phone, number)).toEqual(['na queda'])

    const another = await people.attendant({ at: marina.url() })
    await expect(bubbles(another).filter({ hasText: 'na queda' })).toBeVisible()
    const rightly = (await texts(another)).slice(-6)
    await expect.poll(async () => (await texts(marina)).slice(-6)).toEqual(rightly)
    await another.goto('/tickets')
    const afresh = await people.admin()
    await afresh.getByRole('tab', { name: /Aguardando/ }).click()
    await expect(afresh.locator('[data-ticket]').filter({ hasText: 'Voltaram?' })).toBeVisible()
    const first = (await rows(afresh)).slice(0, 5)
    await expect.poll(async () => (await rows(helena)).slice(0, 5)).toEqual(first)
    for (const page of [marina, helena]) await expect(page.locator('body[data-same]')).toBeAttached()
  } finally {
    await people.leave()
    await world.stop()
    postgres.remove()
  }
})
