import { channelName } from '@balcao/contract/kit.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { nginxProgram, startNginx } from '../../testing/nginx.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds, sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'
import { freePort } from '../platform/postgres/embedded/server.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

const nginx = nginxProgram()
const missing = 'missing' in nginx ? ` (${nginx.missing})` : ''
if (missing) console.log(`Restarts behind nginx are not tried: ${missing}`)

const PREFIX = '5511986'
const CUSTOMERS = 5
const SCREENS = 6
/** What an attendant's screen waits at most until it is connected again. */
const BACK_MS = 3_000

/** In `npm test` the processes for jobs run connections too: fewer starts. */
const BEHIND = rounds(0, 1)
  ? ['worker', 'worker', 'channels', 'channels']
  : ['worker,channels', 'worker,channels']

describe.skipIf(missing)(`processes that are restarted one after the other behind nginx${missing}`, () => {
  let store: Store
  let proxy: Awaited<ReturnType<typeof startNginx>>
  let admin: Person
  let phone: number
  const ports: string[] = []
  const running: { roles: string; port: string; process: Process }[] = []
  const numbers = Array.from({ length: CUSTOMERS }, (_, at) => `${PREFIX}${100_000 + at}`)
  const ticketIds = new Map<string, number>()

  // without REDIS_URL: pushes and signals reach the others over PostgreSQL
  const start = (roles: string, port: string) =>
    startProcess({ ...store.env, ROLES: roles, PORT: port, DRAIN_SECONDS: '1' })
  const write = (number: string, body: string) =>
    admin.call(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })

  beforeAll(async () => {
    if ('missing' in nginx) return
    store = await freshStore()
    for (const roles of ['web', 'web', ...BEHIND]) {
      const port = await freePort()
      if (roles === 'web') ports.push(port)
      running.push({ roles, port, process: await start(roles, port) })
    }
    proxy = await startNginx(nginx.program, ports as [string, string])
    admin = await enter(proxy.url, 'admin@balcao.test')
    phone = admin.user.whatsappId!
    for (const number of numbers) await write(number, `oi ${number}`)
    for (const number of numbers) {
      const waiting = await until(async () => {
        const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
        return page.tickets.find(ticket => ticket.contact.number === number)
      })
      const body = { status: 'open' as const, queueId: admin.user.queues[0]!.id }
      ticketIds.set(number, (await admin.get(tickets.change, { params: { ticketId: waiting.id }, body })).id)
    }
  })
  afterAll(async () => {
    await proxy?.end()
    for (const { process } of running) await process.stop()
    await store?.remove()
  })

  test('no call fails, no message is lost or doubled, and each screen is back within three seconds with what it missed', async () => {
    const screens = Array.from({ length: SCREENS }, () => openScreen(proxy.url, admin))
    await until(() => screens.every(({ isConnected }) => isConnected()))
    const traffic = openTraffic(admin, numbers, { write, ticketIds })
    const webs = sample(['0', '1'], rounds(1, 2)).map(Number)
    const behind = sample(
      BEHIND.map((_, at) => String(at + 2)),
      rounds(1, BEHIND.length),
    ).map(Number)
    for (const at of [...webs, ...behind]) {
      const one = running[at]!
      const ended = one.process.stop()
      await until(
        async () => (await fetch(`http://127.0.0.1:${one.port}/ready`).catch(() => null))?.status !== 200,
      )
      await ended
      expect(await one.process.ended).toBe(0)
      one.process = await start(one.roles, one.port)
      await until(async () => (await fetch(`http://127.0.0.1:${one.port}/ready`)).status === 200)
    }
    const { failed, calls, texts } = await traffic.stop()
    expect(failed).toEqual([])
    await until(async () => Object.keys(soundFigures(await figuresOf(store, PREFIX))).length === 0)
    for (const screen of screens) {
      await until(() => texts.every(text => screen.texts.has(text)))
      expect(screen.doubled()).toEqual([])
    }
    const back = screens.flatMap(({ awayMs }) => awayMs)
    const anew = screens.filter(({ anew }) => anew() > 0).length
    console.log(
      `${calls} calls and ${texts.length} messages in ${webs.length + behind.length} restarts: screens were away ${back.length} times, at most ${Math.max(...back)} ms; ${anew} began anew`,
    )
    expect(back.length).toBeGreaterThan(0)
    expect(Math.max(...back)).toBeLessThan(BACK_MS)
    expect(anew).toBe(0)
    for (const { screen } of screens) screen.disconnect()
  })
})

/** A screen as the web app opens it, which notes how long it was away and what it received. */
function openScreen(url: string, { token, user }: Person) {
  const screen = io(url, { auth: { token }, transports: ['websocket'], forceNew: true })
  const received = new Map<string, number>()
  const awayMs: number[] = []
  let anew = 0
  let since: number | null = null
  screen.on('disconnect', () => {
    since = performance.now()
  })
  screen.on('connect', () => {
    if (since === null) return
    awayMs.push(Math.round(performance.now() - since))
    since = null
    if (!screen.recovered) anew++
  })
  screen.on(channelName(messageChannel, user.companyId), push => {
    if (push.action === 'create') received.set(push.message.body, (received.get(push.message.body) ?? 0) + 1)
  })
  return {
    screen,
    awayMs,
    texts: received,
    anew: () => anew,
    isConnected: () => screen.connected,
    doubled: () => [...received].filter(([, many]) => many > 1).map(([text]) => text),
  }
}

interface Written {
  write(number: string, body: string): Promise<{ status: number }>
  ticketIds: Map<string, number>
}

/** Customers write, they are answered, and lists are read, one call after the other for each customer. */
function openTraffic(admin: Person, numbers: string[], { write, ticketIds }: Written) {
  let isOver = false
  let calls = 0
  const failed: string[] = []
  const texts: string[] = []
  async function call(what: string, work: () => Promise<{ status: number }>) {
    calls++
    const how = await work().then(
      ({ status }) => String(status),
      (error: Error) => `${error.message} ${error.cause}`,
    )
    if (how !== '200') failed.push(`${what}: ${how}`)
  }
  async function talk(number: string) {
    const params = { ticketId: ticketIds.get(number)!, companyId: admin.user.companyId }
    for (let at = 0; !isOver; at++) {
      const [question, answer] = [`pergunta ${at} de ${number}`, `resposta ${at} a ${number}`]
      texts.push(question, answer)
      await call(question, () => write(number, question))
      await call(answer, () => admin.call(messages.send, { params, body: { body: answer } }))
      await call('list', () => admin.call(tickets.list, { query: { status: 'open', showAll: true } }))
      await paused(50)
    }
  }
  const talking = Promise.all(numbers.map(talk))
  return {
    async stop() {
      isOver = true
      await talking
      return { failed, calls, texts }
    },
  }
}

/** Between two calls of one person. */
function paused(ms: number) {
  const end = performance.now() + ms
  return until(() => performance.now() > end)
}
