import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene

afterEach(() => scene.end())

test('a phone that scans the QR code connects its number [CONN-003]', async () => {
  scene = await setScene()
  expect(scene.host.states).toEqual(['OPENING', 'qrcode', 'PAIRING', 'CONNECTED'])
  expect(scene.host.state).toMatchObject({
    number: SHOP,
    qrcode: '',
    pairingCode: '',
    statusReason: '',
    retries: 0,
  })
  expect(scene.session.ready()).toBe(true)
})

test('a phone on which the code is typed connects its number', async () => {
  scene = await setScene({ by: 'code' })
  expect(scene.host.state).toMatchObject({ status: 'CONNECTED', number: SHOP, pairingCode: '', qrcode: '' })
})

test('a connection comes back with its keys, without a QR code', async () => {
  scene = await setScene()
  await scene.ana.write(SHOP, 'antes')
  await until('the first', () => scene.host.messages().length === 1)
  await scene.reopen()
  await until('the connection', () => scene.session.ready())
  expect(scene.host.states.filter(state => state === 'qrcode')).toHaveLength(1)
  await scene.ana.write(SHOP, 'depois')
  await until('the second', () => scene.host.messages().length === 2)
  expect((await scene.say('resposta')).outcome).toEqual({ is: 'sent' })
  await until('the answer', () => scene.ana.received().some(({ text }) => text === 'resposta'))
  expect(scene.ana.received()[0]).toMatchObject({ from: SHOP, chat: SHOP })
  expect(ANA).toBe(scene.ana.number)
})
