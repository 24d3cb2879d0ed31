import { seeded } from '@balcao/contract/campaigns.words.rules.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reportFound } from '../../testing/found.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds, SEED } from '../../testing/sample.ts'
import {
  furnishSending,
  isQuiet,
  makeDue,
  openTheHour,
  passMinutes,
  sendingFigures,
} from '../../testing/sending.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 600_000 })

const PROCESSES = 2

/** For a long look set SENDING_ROUNDS=100, and SOAK_SEED for other moments. */
const ROUNDS = Number(process.env.SENDING_ROUNDS ?? rounds(2, 3))
const isLong = ROUNDS >= 50
const load = isLong ? { people: 2_000, planned: 500, lines: 10 } : { people: 40, planned: 20, lines: 4 }
const HOUR_CAP = isLong ? 80 : 20
/** So that nearly all messages have left when the rounds are over, whatever their number. */
const MINUTES = Math.ceil((2 * 1.15 * 60 * load.people) / HOUR_CAP / ROUNDS)

const hoursEndInDeath = rounds(0, 1) === 1
/** On a busy machine little happens within less. */
const ALIVE_MS = 4_000

describe('kill -9 while a campaign and schedules leave', () => {
  let store: Store
  let campaignId: number
  const alive: (Process | null)[] = Array(PROCESSES).fill(null)
  const start = async () => {
    const run = () => startProcess({ ...store.env, LOG_LEVEL: 'error' }, 200_000)
    alive.splice(0, PROCESSES, ...(await Promise.all(alive.map(one => one ?? run()))))
  }
  const kill = async (...places: number[]) => {
    await Promise.all(places.map(at => alive[at]?.kill()))
    for (const at of places) alive[at] = null
  }
  const everyone = alive.map((_, at) => at)

  beforeAll(async () => {
    store = await freshStore()
    await start()
    campaignId = await furnishSending(await enter(alive[0]!.url, 'admin@balcao.test'), load)
    await kill(...everyone)
    await openTheHour(store, HOUR_CAP)
  })
  afterAll(async () => {
    await kill(...everyone)
    await store?.remove()
  })

  /** Who dies: one of them, or all at once. */
  async function oneRound(draw: () => number) {
    await makeDue(store, Math.ceil(load.planned / ROUNDS), 6)
    await start()
    const end = Date.now() + draw() * ALIVE_MS
    await until(() => Date.now() > end)
    const who = Math.floor(draw() * (PROCESSES + 1))
    await kill(...(who < PROCESSES ? [who] : everyone))
    const minutes = Math.floor(draw() * MINUTES)
    return passMinutes(store, minutes, { everyoneIsDead: alive.every(one => one === null) })
  }

  /** The rest leaves hour by hour; in a whole run each hour ends with a death as well. */
  async function goOnHourByHour(people: number) {
    const mostHours = Math.ceil(people / HOUR_CAP) + 2
    for (let hours = 1; ; hours++) {
      await makeDue(store, load.planned, 0)
      await start()
      const admin = await enter(alive[0]!.url, 'admin@balcao.test')
      await until(
        nowAndThen(() => isQuiet(admin, campaignId)),
        900_000,
      )
      if (hoursEndInDeath) await kill(...everyone)
      if ((await passMinutes(store, 61, { everyoneIsDead: hoursEndInDeath })).people === 0) return hours
      expect(hours).toBeLessThan(mostHours)
    }
  }

  test('nobody is lost, nobody is told twice, and no hour has more than the plan lets leave [SCHED-030, CAMP-054]', async () => {
    const draw = seeded(SEED)
    const from = Date.now()
    let left = { people: load.people, planned: load.planned }
    for (let round = 1; round <= ROUNDS; round++) {
      left = await oneRound(draw)
      const s = Math.round((Date.now() - from) / 1_000)
      if (isLong) console.log(`round ${round} after ${s} s, still to leave:`, left)
    }
    const hours = await goOnHourByHour(left.people)
    const figures = await sendingFigures(store)
    console.log(
      `${ROUNDS} rounds with seed ${SEED} left ${left.people} people to ${hours} hours more:`,
      figures,
    )
    reportFound(ROUNDS, figures)
    expect(figures).toMatchObject({
      people: load.people,
      'people lost': 0,
      'people doubled': 0,
      'counted as sent': load.people,
      'sent by the campaign': load.people,
      'under way or failed': 0,
      planned: load.planned,
      'marked as sent': load.planned,
      'planned heard': load.planned,
      'planned doubled': 0,
      'left in outbox': 0,
    })
    expect(figures['most in an hour']).toBeLessThanOrEqual(HOUR_CAP)
  })
})

/** Polled without a pause, the process does little else. */
function nowAndThen(read: () => Promise<boolean>) {
  let next = 0
  return async () => {
    if (Date.now() < next) return false
    const is = await read()
    next = Date.now() + 1_000
    return is
  }
}
